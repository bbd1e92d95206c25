package interpret

import (
	"errand/planner/plan"
)

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
