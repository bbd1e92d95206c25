package interpret

import "errand/planner/plan"

// frontPlace passes over what stands between the verb and the query: small
// words, "on youtube for", "youtube for", "the web for", "in it".
func (s *searching) frontPlace(lo, hi int) {
	p, i := s.p, s.p.skipColon(lo, hi)
	if i = s.pointed(i, hi); s.c.there {
		s.q = span{p.fillers(i, hi), hi}
		return
	}
	if _, full := p.ending(s.c.verb.lo, s.c.verb.hi, kFor); !full {
		i = p.fillers(lo, hi) // but "search for me and my shadow"
	}
	s.q = span{i, hi}
	takesSite := has([]kind{kSearchIn, kSearchInIng, kSearchAt}, s.verb.kind) || p.covers(s.c.verb.lo, s.c.verb.hi, kSearchIn)
	i = p.either(i, hi)
	m, on := p.longest(i, hi, kOn, kUse)
	if _, ended := p.ending(s.c.verb.lo+1, s.c.verb.hi, kOn); ended && !on { // "run a search on github for …"
		m, on = match{}, true
	}
	var where site
	switch {
	case on && p.siteFollows(p.either(i+m.n, hi), hi, &where):
		s.named(p.either(i+m.n, hi), where)
		s.q.lo = s.whereAt.hi
	case takesSite && p.siteFollows(i, hi, &where) && !p.queryItself(i, hi, where):
		s.named(i, where)
		s.q.lo = i + where.n
	default:
		if m, ok := p.longest(i, hi, kWeb); ok {
			s.web, s.q.lo = true, i+m.n
		}
	}
	if s.c.fronted = s.c.named; s.c.fronted {
		if s.frontChoice(hi) {
			return
		}
		s.furtherSites(hi)
		if m, ok := p.longest(s.q.lo, hi, kInstead); ok { // "search bing instead of google for tea"
			if e, ok := p.entityAt(s.q.lo+m.n, hi, false); ok {
				s.q.lo += m.n + e.n
			}
		}
	}
	if m, ok := p.longest(s.q.lo, hi, kAsPlace); ok && s.c.fronted && s.q.lo+m.n < hi {
		s.q.lo += m.n // "search youtube in chrome for cats"
	}
	if s.c.fronted || s.web {
		s.q.lo = p.fillers(s.q.lo, hi)
	}
	s.c.bare = on && s.q.lo == s.whereAt.hi
	if m, ok := p.longest(s.q.lo, hi, kFor); ok && (s.c.fronted || s.web || takesSite) {
		s.q.lo += m.n
		s.c.bare = false
	}
	if m, ok := p.longest(s.q.lo, hi, kField); ok && m.n > 1 && s.q.lo+m.n < hi && !s.c.named { // "find in it"
		s.q.lo += m.n
		s.c.needNav = true
	}
}

// onPage leaves "there" out of the query of a search in the page just opened.
func (p *webReader) onPage(c *clause) {
	for i := range c.drafts {
		d := &c.drafts[i]
		for j := range d.spans {
			if s := &d.spans[j]; s.slot == "query" && d.goal.Platform == "" && s.hi-c.onPage > s.lo {
				s.hi -= c.onPage
				d.goal.Query = p.cut(s.lo, s.hi)
			}
		}
	}
}

// pointed passes over "there for", "in it": the page just opened is meant.
func (s *searching) pointed(i, hi int) int {
	at := s.p.skip(i, hi, kFiller)
	for _, from := range []int{i, at} {
		if m, ok := s.p.longest(from, hi, kThere); ok && from+m.n < hi {
			s.c.needNav, s.c.there = true, true
			return from + m.n
		}
	}
	return i
}

// either passes over the word before the first of two sites.
func (p *webReader) either(i, hi int) int {
	m, ok := p.longest(i, hi, kOr)
	if _, site := p.siteAt(i+m.n, hi, false); ok && site {
		return i + m.n
	}
	return i
}

// frontChoice notes "youtube or bing" before a query, or without one.
func (s *searching) frontChoice(hi int) bool {
	or, ok := s.p.longest(s.q.lo, hi, kOr)
	if !ok {
		return false
	}
	from := s.q.lo + or.n
	if on, ok := s.p.longest(from, hi, kOn); ok {
		from += on.n
	}
	other, ok := s.p.siteAt(from, hi, false)
	if !ok {
		return false
	}
	s.choices, s.choiceAt = s.p.siteChoices(s.where.id, other.id), span{s.whereAt.lo, from + other.n}
	return true
}

// furtherSites passes over "and on google" after a site, if a query is left.
func (s *searching) furtherSites(hi int) {
	p := s.p
	for {
		and, ok := p.longest(s.q.lo, hi, kAnd)
		on, is := p.longest(s.q.lo+and.n, hi, kOn)
		if !ok || !is {
			return
		}
		from := s.q.lo + and.n + on.n
		next, ok := p.siteAt(from, hi, false)
		if !ok || from+next.n >= p.tail(s.q.lo, hi, true) {
			return
		}
		s.also, s.q.lo = append(s.also, next), from+next.n
	}
}

// endPlace cuts off the last "on <site>" or "on the web", unless a site stands
// before the query: then it is part of the query. A choice between sites is
// returned, with where it stands.
func (s *searching) endPlace() ([]plan.Choice, span) {
	if s.c.named || s.web {
		return nil, span{}
	}
	p := s.p
	for _, end := range []int{s.closed, s.q.hi} {
		from, where, ok := p.trailingSite(s.q.lo, end)
		if _, with := p.longest(from, end, kUse); !ok || with && s.verb.kind == kSearchOn {
			continue // "open a tab with youtube" is no search
		}
		if _, not := p.ending(s.q.lo, from, kInstead); not { // "not on google"
			s.c.outcome, s.c.ask = asks, p.partial(span{from, end})
			return nil, span{}
		}
		if choices, at := p.otherSites(s.q.lo, from, end); choices != nil {
			return choices, at
		}
		s.named(end-where.n, where)
		if but, ok := p.ending(s.q.lo, from, kBut); ok { // "not on google but on bing"
			before := from - but.n
			for before > s.q.lo && p.toks[before-1].shape == mark {
				before--
			}
			if at := p.contrast(s.q.lo, before); at < before {
				from = at
			}
		}
		s.q.hi = p.tail(s.q.lo, from, false)
		return nil, span{}
	}
	if m, ok := p.ending(s.q.lo, s.closed, kWeb); ok {
		s.web, s.q.hi = true, s.closed-m.n
	}
	return p.orSites(s.q.lo, s.closed)
}
