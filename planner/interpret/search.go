package interpret

import (
	"strings"

	"errand/planner/plan"
)

// site is a place to search, found at a token.
type site struct {
	id    string
	n     int // tokens
	fuzzy bool
}

// siteAt finds a searchable site at token i: its name, its domain or its
// spoken domain, with a determiner before and "website" after it.
func (p *parser) siteAt(i, hi int, typo bool) (site, bool) {
	from := i
	i = p.skip(i, hi, kDet)
	for {
		m, ok := p.longest(i, hi, kSiteNoun, kAppNoun)
		if _, isSite := p.longest(i, hi, kSite); !ok || isSite || i+m.n >= hi {
			break
		}
		i += m.n
	}
	if i >= hi {
		return site{}, false
	}
	var found site
	t := p.toks[i]
	if m, ok := p.longest(i, hi, kSite); ok {
		found = site{id: m.value, n: m.n}
		if n := p.spokenDomain(i+m.n, hi); n > 0 {
			found.n += n
		}
	} else if t.shape == link {
		u, _ := address(t.value)
		if u == nil || strings.Trim(u.Path, "/") != "" {
			return site{}, false
		}
		s, ok := p.in.cat.SiteOf(u.Hostname())
		if !ok {
			return site{}, false
		}
		found = site{id: s.ID, n: 1}
	} else if typo && t.shape == word {
		e, ok := p.in.lex.nearest(t.fold, true, kSite, kApp)
		if !ok || e.kind != kSite && !p.in.searchable(e.value) {
			return site{}, false
		}
		found = site{id: e.value, n: 1, fuzzy: true}
	} else {
		return site{}, false
	}
	if !p.in.searchable(found.id) {
		return site{}, false
	}
	i += found.n
	if m, ok := p.longest(i, hi, kSiteNoun, kAppNoun); ok {
		i += m.n
	} else if p.covers(i, hi, kSiteEnd) {
		i = hi
	}
	found.n = i - from
	return found, true
}

// spokenDomain is the length of "dot com" at token i.
func (p *parser) spokenDomain(i, hi int) int {
	m, ok := p.longest(i, hi, kSpoken)
	if !ok || m.value != "." || i+m.n >= hi || p.toks[i+m.n].shape != word {
		return 0
	}
	if !isDomain("x."+p.fold(i+m.n)) && latinSuffix(p.fold(i+m.n)) == "" {
		return 0
	}
	return m.n + 1
}

// latinSuffix spells the top-level domains that Russian speakers say.
func latinSuffix(s string) string {
	return map[string]string{"ком": "com", "ру": "ru", "орг": "org", "нет": "net", "рф": "рф", "ио": "io", "дев": "dev", "комм": "com"}[s]
}

// trailingSite finds the last "on <site>" of [lo,hi), which has to end there.
func (p *parser) trailingSite(lo, hi int) (from int, s site, ok bool) {
	for i := hi - 1; i >= max(lo, hi-maxPhrase); i-- {
		m, is := p.longest(i, hi, kOn, kUse)
		if !is {
			continue
		}
		for _, typo := range []bool{false, true} {
			if s, ok := p.siteAt(i+m.n, hi, typo); ok && i+m.n+s.n == hi {
				return i, s, true
			}
		}
	}
	return 0, site{}, false
}

// search reads what follows a search verb.
func (p *parser) search(verb match, at span, lo, hi int) clause {
	c := clause{frame: searchFrame, verb: at, verbKind: verb.kind, lang: verb.lang, free: true, body: lo}
	i := p.skipColon(lo, hi)
	if _, full := p.ending(at.lo, at.hi, kFor); !full {
		i = p.fillers(lo, hi) // but "search for me and my shadow"
	}
	q := span{i, hi}
	var where site
	var whereAt span

	take := func(from int, s site) {
		where, whereAt, c.named = s, span{from, from + s.n}, true
		c.fuzzy = c.fuzzy || s.fuzzy
	}
	generic := verb.kind == kSearchIn || verb.kind == kSearchInIng || verb.kind == kSearchAt || verb.kind == kSearch && p.bareSearch(at)
	switch m, on := p.longest(i, hi, kOn, kUse); {
	case on && p.siteFollows(i+m.n, hi, &where):
		take(i+m.n, where)
		q.lo, c.fronted = i+m.n+where.n, true
	case generic && p.siteFollows(i, hi, &where) && !p.queryItself(i, hi, where):
		take(i, where)
		q.lo, c.fronted = i+where.n, true
	}
	web := false
	if !c.named {
		if m, ok := p.longest(i, hi, kWeb); ok {
			web, q.lo = true, i+m.n
		}
	}
	if c.fronted {
		if m, ok := p.longest(q.lo, hi, kInstead); ok { // "search bing instead of google for tea"
			if e, ok := p.entityAt(q.lo+m.n, hi, false); ok {
				q.lo += m.n + e.n
			}
		}
	}
	if c.fronted || web {
		q.lo = p.fillers(q.lo, hi)
	}
	if m, ok := p.longest(q.lo, hi, kFor); ok && (c.fronted || web || generic) {
		q.lo += m.n
	}

	if m, ok := p.longest(q.lo, hi, kField); ok && m.n > 1 && q.lo+m.n < hi && !c.named { // "find in it"
		q.lo += m.n
		c.needNav = true
	}

	// The end of the free text: the last site phrase, or politeness.
	q.hi = p.tail(q.lo, hi, false)
	closedEnd := p.tail(q.lo, hi, true)
	if m, ok := p.ending(q.lo, closedEnd, kAsPlace); ok && (m.n < closedEnd-q.lo) && !p.questionWord(q.lo) {
		if !p.onSiteEnd(q.lo, closedEnd) {
			closedEnd -= m.n
			q.hi = closedEnd
		}
	}
	if verb.kind == kTypeIn {
		if m, ok := p.ending(q.lo, closedEnd, kField); ok && m.n < closedEnd-q.lo {
			q.hi = closedEnd - m.n
			closedEnd = q.hi
		}
		c.needNav = true
	}
	if end := p.contrast(q.lo, closedEnd); end < closedEnd {
		closedEnd = end
	}
	if !c.named && !web {
		for _, end := range []int{closedEnd, q.hi} {
			from, s, ok := p.trailingSite(q.lo, end)
			if _, with := p.longest(from, end, kUse); !ok || with && verb.kind == kSearchOn {
				continue // "open a tab with youtube" is no search
			}
			if choices := p.otherSites(q.lo, from, end); choices != nil {
				c.outcome, c.ask = asks, question{key: "ask_choice", choices: choices}
				return c
			}
			take(end-s.n, s)
			q.hi = p.tail(q.lo, from, false)
			break
		}
	}
	if !c.named && !web {
		if m, ok := p.ending(q.lo, closedEnd, kWeb); ok {
			web, q.hi = true, closedEnd-m.n
		}
	}
	if alt := p.orSites(q.lo, closedEnd); !c.named && alt != nil {
		c.outcome, c.ask = asks, question{key: "ask_choice", choices: alt}
		return c
	}
	q = p.trimQuery(q)
	if verb.kind == kLookUp {
		up, ok := p.ending(q.lo, q.hi, kUp)
		if !ok {
			return clause{lang: verb.lang}
		}
		q.hi -= up.n
	}

	switch {
	case verb.kind == kPlay && !c.named && q.lo < q.hi:
		c.needNav = true
	case verb.kind == kTypeIn && q.lo >= q.hi:
		return clause{lang: verb.lang}
	case verb.kind == kSearchOn || verb.kind == kSearchOnIng || verb.kind == kPlay || verb.kind == kSearchAt:
		if !c.named || q.lo >= q.hi {
			return clause{lang: verb.lang, reason: "no site is named"}
		}
	case q.lo >= q.hi && c.named:
		name := p.in.siteName(where.id)
		c.outcome, c.ask = asks, question{key: "ask_query", arg: name}
		c.drafts = []draft{p.searchDraft(c, q, where, whereAt, "")}
		return c
	case q.lo >= q.hi:
		c.outcome, c.ask = asks, question{key: "ask_query"}
		return c
	}
	if p.covers(q.lo, q.hi, kPronoun, kNothing) {
		c.outcome, c.ask = asks, question{key: "ask_query"}
		return c
	}
	platform := where.id
	if web {
		platform = p.in.options.DefaultPlatform // the web at large is a place too: a site visited before it does not count
	}
	c.outcome = good
	c.drafts = []draft{p.searchDraft(c, q, where, whereAt, platform)}
	return c
}

func (p *parser) searchDraft(c clause, q span, where site, whereAt span, platform string) draft {
	d := draft{goal: plan.Goal{GoalType: plan.BrowserSearch, Platform: platform, Query: p.cut(q.lo, q.hi)}}
	if platform == "" {
		d.goal.Platform = where.id
	}
	d.spans = append(d.spans, slotSpan{"goal_type", c.verb, false})
	if c.named {
		d.spans = append(d.spans, slotSpan{"platform", whereAt, where.fuzzy})
	}
	d.spans = append(d.spans, slotSpan{"query", q, false})
	return d
}

// bareSearch reports whether a search verb may take the site as its object:
// "search youtube", but not "search for youtube" and not "find youtube".
func (p *parser) bareSearch(at span) bool {
	return p.covers(at.lo, at.hi, kSearchIn)
}

func (p *parser) siteFollows(i, hi int, s *site) bool {
	found, ok := p.siteAt(i, hi, false)
	if !ok {
		if found, ok = p.siteAt(i, hi, true); ok && i+found.n < hi {
			_, isFor := p.longest(i+found.n, hi, kFor)
			ok = isFor // a corrected name has to be followed by "for"
		}
	}
	*s = found
	return ok
}

// queryItself reports whether the site right after a verb is rather part of
// the query: another site is named at the end ("search amazon rainforest on
// wikipedia").
func (p *parser) queryItself(i, hi int, s site) bool {
	if _, isFor := p.longest(i+s.n, hi, kFor); isFor || i+s.n >= hi {
		return false
	}
	end := p.tail(i, hi, true)
	from, _, ok := p.trailingSite(i+s.n, end)
	return ok && from > i
}

// contrast cuts "instead of google", "not google" off the end.
func (p *parser) contrast(lo, hi int) int {
	for i := hi - 1; i > lo && i >= hi-maxPhrase; i-- {
		m, ok := p.longest(i, hi, kInstead)
		if !ok {
			continue
		}
		j := i + m.n
		if on, ok := p.longest(j, hi, kOn); ok {
			j += on.n
		}
		if e, ok := p.entityAt(j, hi, false); ok && j+e.n == hi {
			end := i
			for end > lo && p.toks[end-1].shape == mark {
				end--
			}
			return end
		}
	}
	return hi
}

// otherSites finds "on youtube or google": the site before the last phrase
// joined by "or".
func (p *parser) otherSites(lo, from, end int) []plan.Choice {
	if from-1 > lo {
		if m, ok := p.ending(lo, from, kOr); ok {
			if _, s, ok := p.trailingSite(lo, from-m.n); ok {
				_, last, _ := p.trailingSite(lo, end)
				return p.in.siteChoices(s.id, last.id)
			}
		}
	}
	return nil
}

// orSites finds "on youtube or google" where one preposition serves both.
func (p *parser) orSites(lo, hi int) []plan.Choice {
	for i := hi - 1; i > lo && i >= hi-maxPhrase; i-- {
		m, ok := p.longest(i, hi, kOr)
		if !ok {
			continue
		}
		if s, ok := p.siteAt(i+m.n, hi, false); ok && i+m.n+s.n == hi {
			if _, first, ok := p.trailingSite(lo, i); ok {
				return p.in.siteChoices(first.id, s.id)
			}
		}
	}
	return nil
}

// onSiteEnd reports whether the text ends in a site phrase, which is then not
// a way of opening ("in google").
func (p *parser) onSiteEnd(lo, hi int) bool {
	_, _, ok := p.trailingSite(lo, hi)
	return ok
}

// questionWord: "how to clear the cache in chrome" is a query to its end.
func (p *parser) questionWord(i int) bool {
	if i >= len(p.toks) {
		return false
	}
	_, ok := p.longest(i, len(p.toks), kAsk, kForeign)
	return ok
}

// trimQuery drops punctuation around a query and the empty words before it.
func (p *parser) trimQuery(q span) span {
	for q.lo < q.hi && p.toks[q.lo].shape == mark && (p.fold(q.lo) == ":" || p.fold(q.lo) == "-" || p.fold(q.lo) == "," || p.fold(q.lo) == "\n") {
		q.lo++
	}
	for q.hi > q.lo && p.toks[q.hi-1].shape == mark && q.hi-1 > q.lo {
		q.hi--
	}
	if m, ok := p.longest(q.lo, q.hi, kCarrier); ok && q.lo+m.n < q.hi {
		q.lo += m.n
	}
	return q
}

func (p *parser) skipColon(i, hi int) int {
	for i < hi && p.toks[i].shape == mark && (p.fold(i) == ":" || p.fold(i) == "," || p.fold(i) == "-") {
		i++
	}
	return i
}

// fronted reads commands that name the place first: "on youtube search for
// cats", "using bing find tides", "in chrome open reddit".
func (p *parser) fronted(lo, hi int) clause {
	none := clause{lang: anyLang}
	m, ok := p.longest(lo, hi, kAsPlace)
	if ok && lo+m.n < hi {
		at, ing := p.lead(lo+m.n, hi)
		if v, is := p.longest(at, hi, verbs...); is && !gerund(v.kind) {
			return p.command(at, hi, ing)
		}
	}
	m, ok = p.longest(lo, hi, kOn, kUse)
	if !ok {
		return none
	}
	s, ok := p.siteAt(lo+m.n, hi, true)
	if !ok {
		return none
	}
	at, _ := p.lead(lo+m.n+s.n, hi)
	at = p.skip(at, hi, kTo)
	v, ok := p.longest(at, hi, kSearch, kSearchIn, kSearchOn, kPlay, kTypeIn)
	if !ok {
		return none
	}
	if v.kind == kSearchOn || v.kind == kPlay || v.kind == kTypeIn {
		v.kind = kSearch
	}
	c := p.search(v, span{at, at + v.n}, at+v.n, hi)
	if c.outcome == asks && len(c.drafts) == 0 && c.ask.key != "ask_query" || c.outcome == unknown {
		return c
	}
	c.named, c.fronted, c.fuzzy = true, true, c.fuzzy || s.fuzzy
	for i := range c.drafts {
		if c.drafts[i].goal.Platform == "" {
			c.drafts[i].goal.Platform = s.id
			c.drafts[i].spans = append(c.drafts[i].spans, slotSpan{"platform", span{lo + m.n, lo + m.n + s.n}, s.fuzzy})
		}
	}
	return c
}

// shorthand reads "<site> <query>" and "<site>: <query>". A name that is an
// ordinary word, or a sentence about the site, is none.
func (p *parser) shorthand(lo, hi int) clause {
	none := clause{lang: anyLang}
	m, ok := p.longest(lo, hi, kSite)
	if !ok {
		if e, ok := p.entityAt(lo, hi, false); ok && lo+e.n >= p.tail(lo, hi, true) {
			none.outcome, none.ask = asks, question{key: "ask_verb", arg: p.in.entityName(e)}
		}
		return none
	}
	end := p.tail(lo, hi, true)
	if lo+m.n >= end {
		none.outcome, none.ask = asks, question{key: "ask_verb", arg: p.in.siteName(m.value)}
		return none
	}
	if _, be := p.longest(lo+m.n, hi, kBe, kAnd, kOr, kSiteNoun, kOn); be || m.n == 1 && p.in.lex.plain[p.fold(lo)] || !p.in.searchable(m.value) {
		return none
	}
	i := lo + m.n
	if v, ok := p.longest(i, hi, kSearch, kSearchIn); ok && i+v.n < hi {
		i += v.n
	} else if f, ok := p.longest(i, hi, kFor); ok {
		i += f.n
	}
	v := match{entry{kSearch, anyLang, ""}, m.n}
	c := p.search(v, span{lo, lo + m.n}, i, hi)
	if c.outcome != good || c.named {
		return none
	}
	c.named, c.fronted = true, true
	c.drafts[0].goal.Platform = m.value
	c.drafts[0].spans = append(c.drafts[0].spans, slotSpan{"platform", span{lo, lo + m.n}, false})
	return c
}
