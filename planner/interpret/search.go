package interpret

import (
	"strings"
	"unicode/utf8"

	"errand/planner/plan"
)

// searching is a search as far as it has been read: the query shrinks from
// both ends to what was meant as free text.
type searching struct {
	p       *webReader
	verb    match
	c       clause
	q       span // the query
	closed  int  // its end if no politeness at all belongs to it
	where   site
	whereAt span
	also    []site // searched as well: "on youtube and on google"
	web     bool   // the web at large was named

	choices  []plan.Choice // "youtube or bing" before the query
	choiceAt span
}

// siteVerbs search where a site is named, and else do something different.
var siteVerbs = []kind{kSearchOn, kSearchOnIng, kSearchAt}

// search reads what follows a search verb.
func (p *webReader) search(verb match, at span, lo, hi int) clause {
	if q, ok := p.otherwise(at, lo, hi); ok {
		return clause{frame: searchFrame, outcome: asks, ask: q, verb: at, verbKind: verb.kind, lang: verb.lang, body: lo}
	}
	s := &searching{p: p, verb: verb}
	s.c = clause{frame: searchFrame, verb: at, verbKind: verb.kind, lang: verb.lang, free: true, body: lo}
	s.frontPlace(lo, hi)
	s.dropManner(hi)
	if n := p.inBrowser(s.q.lo, s.closed); n > 0 && n < s.closed-s.q.lo && !p.questionWord(s.q.lo) {
		s.c.outcome, s.c.ask = asks, p.partial(span{s.closed - n, s.closed})
		return s.c
	}
	if s.choices == nil {
		s.choices, s.choiceAt = s.endPlace()
	}
	if s.choices != nil {
		s.c.outcome, s.c.ask = asks, question{key: "ask_choice", choices: s.choices, at: s.choiceAt, site: true}
		return s.c
	}
	if s.c.outcome == asks {
		return s.c
	}
	s.trim()
	if s.local(hi) {
		c := clause{lang: verb.lang}
		if !has(siteVerbs, verb.kind) { // "read the file" is no search
			c.reason = "why_local"
		}
		return c
	}
	return s.finish()
}

// named notes the site that the words name.
func (s *searching) named(from int, where site) {
	s.where, s.whereAt = where, span{from, from + where.n}
	s.c.named = true
}

// dropManner cuts off the end what says how rather than what: politeness, "in
// a new tab", "in the search bar", "not google".
func (s *searching) dropManner(hi int) {
	p, lo := s.p, s.q.lo
	s.q.hi = p.tail(lo, hi, false)
	s.closed = p.tail(lo, hi, true)
	if m, ok := p.ending(lo, s.closed, kAsPlace); ok && m.n < s.closed-lo && !p.questionWord(lo) {
		if _, _, site := p.trailingSite(lo, s.closed); !site {
			s.closed -= m.n
			s.q.hi = s.closed
		}
	}
	if m, ok := p.ending(lo+1, s.closed, kThere); ok && m.n > 1 && !s.c.named { // "search for cats on this site"
		s.closed -= m.n
		s.q.hi = s.closed
		s.c.needNav, s.c.there = true, true
	}
	if s.verb.kind == kTypeIn || s.verb.kind == kWriteIn {
		s.c.needNav = true
		if m, ok := p.ending(lo, s.closed, kField); ok && m.n < s.closed-lo {
			s.closed -= m.n
			s.q.hi = s.closed
		}
	}
	s.closed = p.contrast(lo, s.closed)
}

// trim drops punctuation around the query and the empty words before it
// ("videos of").
func (s *searching) trim() {
	p := s.p
	for s.q.lo < s.q.hi && p.toks[s.q.lo].shape == mark && (pausing(p.fold(s.q.lo)) || p.fold(s.q.lo) == "\n") {
		s.q.lo++
	}
	for s.q.hi-1 > s.q.lo && p.toks[s.q.hi-1].shape == mark {
		s.q.hi--
	}
	if m, ok := p.longest(s.q.lo, s.q.hi, kCarrier); ok && s.q.lo+m.n < s.q.hi {
		s.q.lo += m.n
	}
}

// finish decides whether the search is understood.
func (s *searching) finish() clause {
	p, words := s.p, s.q.hi
	for words > s.q.lo && p.toks[words-1].shape == symbol {
		words--
	}
	politeness := p.covers(s.q.lo, words, kTail) || words == s.q.lo && s.q.lo > s.c.verb.hi && p.polite(s.c.verb.hi, s.q.lo)
	empty := s.q.lo >= s.q.hi || emptyQuotes(p.cut(s.q.lo, s.q.hi)) || politeness
	nothing := clause{lang: s.verb.lang, reason: "why_no_site"}
	if p.covers(s.c.verb.lo, s.q.hi, kDevice) {
		return nothing
	}
	switch s.verb.kind {
	case kLookUp:
		up, ok := p.ending(s.q.lo, s.q.hi, kUp)
		if !ok {
			return clause{lang: s.verb.lang}
		}
		s.q.hi -= up.n
		empty = s.q.lo >= s.q.hi
	case kWriteIn:
		if empty || s.c.named {
			return nothing
		}
	case kTypeIn:
		if empty {
			return nothing
		}
	case kPlay:
		if empty {
			return nothing
		}
		s.c.needNav = !s.c.named
	case kSearchOn, kSearchOnIng, kSearchAt:
		if empty || !s.c.named || s.verb.kind == kSearchAt && !s.c.fronted {
			return nothing
		}
	}
	s.c.outcome = good
	if last, ok := p.ending(s.q.lo+1, s.q.hi, kThereLast); ok && !p.questionWord(s.q.lo) {
		s.c.onPage = last.n
	}
	if s.c.needNav && p.covers(s.q.lo, s.q.hi, kPronoun) {
		return nothing // "put it there"
	}
	end := s.q.hi
	if up, ok := p.ending(s.q.lo+1, end, kUp); ok { // "search it up"
		end -= up.n
	}
	if empty || p.skip(s.q.lo, end, kPronoun, kNothing) == end { // "it", "it there"
		s.c.outcome, s.c.ask = asks, question{key: "ask_query", at: span{s.q.lo, max(s.q.lo, s.q.hi)}}
	}
	if s.c.outcome == good || s.c.named && empty {
		s.c.drafts = []draft{s.draft()} // with a site and no query yet: "search youtube and google for cats"
		for _, other := range s.also {
			d := s.draft()
			d.goal.Platform = other.id
			s.c.drafts = append(s.c.drafts, d)
		}
	}
	return s.c
}

// emptyQuotes reports whether s is a pair of quotes around nothing.
func emptyQuotes(s string) bool {
	return utf8.RuneCountInString(s) > 1 && strings.Trim(s, "\"'«»“”„‘’ ") == ""
}

func (s *searching) draft() draft {
	d := draft{goal: plan.Goal{GoalType: plan.BrowserSearch, Platform: s.where.id, Query: s.p.cut(s.q.lo, s.q.hi)}}
	own, named := s.p.longest(s.c.verb.lo, s.c.verb.hi, kOwnSite)
	switch {
	case s.c.named:
	case named:
		d.goal.Platform = own.value
	case s.web: // the web at large is a place too: a site visited before it does not count
		d.goal.Platform = s.p.platform
	}
	d.spans = append(d.spans, slotSpan{"goal_type", s.c.verb, false})
	if s.c.named {
		d.spans = append(d.spans, slotSpan{"platform", s.whereAt, s.where.fuzzy})
	} else if named {
		d.spans = append(d.spans, slotSpan{"platform", span{s.c.verb.lo, s.c.verb.lo + own.n}, false})
	}
	d.spans = append(d.spans, slotSpan{"query", s.q, false})
	return d
}

// questionWord: "how to clear the cache in chrome" is a query to its end.
func (p *Text) questionWord(i int) bool {
	_, ok := p.longest(i, len(p.toks), kAsk, kForeign)
	return ok
}

func (p *Text) skipColon(i, hi int) int {
	for i < hi && p.toks[i].shape == mark && pausing(p.fold(i)) {
		i++
	}
	return i
}

func pausing(mark string) bool { return mark == ":" || mark == "," || mark == "-" }
