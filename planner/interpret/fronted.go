package interpret

import (
	"slices"
	"strings"
)

// fronted reads commands that name the place first: "on youtube search for
// cats", "using bing find tides", "in chrome open reddit".
func (p *commandReader) fronted(lo, hi int) clause {
	none := clause{lang: anyLang}
	m, ok := p.longest(lo, hi, kAsPlace)
	if ok && lo+m.n < hi {
		at, ing := p.lead(lo+m.n, hi)
		if v, is := p.longest(at, hi, verbs...); is && !gerund(v.kind) {
			return p.command(at, hi, ing)
		}
	}
	if c := p.frontedBrowser(lo, hi); c.outcome != unknown {
		return c
	}
	if c := p.frontedFile(lo, hi); c.outcome != unknown {
		return c
	}
	if m, ok := p.longest(lo, hi, kField); ok {
		if v, ok := p.longest(lo+m.n, hi, kTypeIn, kWriteIn, kSearch); ok {
			at := lo + m.n
			v.kind = kTypeIn
			return p.web.search(v, span{at, at + v.n}, at+v.n, hi)
		}
	}
	m, ok = p.longest(lo, hi, kOn, kUse)
	if !ok {
		return none
	}
	s, ok := p.web.siteAt(lo+m.n, hi, true)
	if !ok {
		return none
	}
	at, _ := p.lead(p.skipColon(lo+m.n+s.n, hi), hi)
	at = p.skip(at, hi, kTo)
	v, ok := p.longest(at, hi, kSearch, kSearchIn, kSearchOn, kPlay, kTypeIn)
	if !ok {
		return none
	}
	if v.kind == kSearchOn || v.kind == kPlay || v.kind == kTypeIn {
		v.kind = kSearch
	}
	c := p.web.search(v, span{at, at + v.n}, at+v.n, hi)
	if c.outcome == asks && len(c.drafts) == 0 && c.ask.key != "ask_query" || c.outcome == unknown {
		return c
	}
	c.fronted = true
	setSite(&c, s, lo+m.n)
	return c
}

// setSite gives a search the site at token i.
func setSite(c *clause, s site, i int) {
	c.named = true
	for n := range c.drafts {
		if d := &c.drafts[n]; d.goal.Platform == "" {
			d.goal.Platform = s.id
			d.spans = append(d.spans, slotSpan{"platform", span{i, i + s.n}, s.fuzzy})
		}
	}
}

// frontedFile reads "on my desktop create …", "inside it create …", "in the
// src folder create …".
func (p *commandReader) frontedFile(lo, hi int) clause {
	var it item
	at := p.files.placeAt(&it, lo, hi)
	if at == lo {
		m, ok := p.longest(lo, hi, kIn, kInside, kFrom)
		if !ok || lo+m.n >= hi {
			return clause{}
		}
		for at = lo + m.n + 1; at < min(hi, lo+maxPhrase); at++ {
			if _, verb := p.longest(at, hi, fileVerbs...); verb {
				break
			}
		}
		end := at
		for end > lo+m.n && p.toks[end-1].shape == mark {
			end--
		}
		if it.within, ok = p.files.container(p.skip(lo+m.n, end, kDet), end, false); !ok {
			return clause{}
		}
	}
	at, _ = p.lead(at, hi)
	v, ok := p.longest(at, hi, fileVerbs...)
	if !ok {
		return clause{}
	}
	c := p.files.files(v, span{at, at + v.n}, at+v.n, hi)
	for i := range c.drafts {
		d := &c.drafts[i]
		if d.settled() || strings.ContainsAny(d.goal.Target, `/\`) { // it lies in two places
			c.outcome, c.ask = asks, p.partial(span{lo, at})
			return c
		}
		d.where, d.front = it.where, true
	}
	return c
}

// forbids reports whether [lo,hi) begins with a negator.
func (p *commandReader) forbids(lo, hi int) bool {
	_, ok := p.longest(lo, hi, kNot)
	return ok
}

// shorthand reads "<site> <query>" and "<site>: <query>". A name that is an
// ordinary word, or a sentence about the site, is none.
func (p *commandReader) shorthand(lo, hi int) clause {
	none := clause{lang: anyLang}
	m, ok := p.longest(lo, hi, kSite)
	if !ok {
		if e, ok := p.web.entityAt(lo, hi, false); ok && lo+e.n >= p.tail(lo, hi, true) {
			none.outcome, none.ask = asks, p.verbFor(e, lo)
		}
		return none
	}
	end := p.tail(lo, hi, true)
	if lo+m.n >= end {
		e, _ := p.web.entityAt(lo, hi, false)
		none.outcome, none.ask = asks, p.verbFor(e, lo)
		return none
	}
	if _, be := p.longest(lo+m.n, hi, kBe, kAnd, kOr, kSiteNoun, kOn); be || m.n == 1 && p.words.plain[p.fold(lo)] || !p.words.catalogue.Searchable(m.value) {
		return none
	}
	i := p.skipColon(lo+m.n, hi)
	if verb, ok := p.longest(i, end, slices.Concat(verbs, []kind{kForeign, kDeed})...); ok && i+verb.n == end || p.forbids(i, end) {
		return none // "youtube close" wants something else of it
	}
	if v, ok := p.longest(i, hi, kSearch, kSearchIn); ok && i+v.n < hi {
		i += v.n
	} else if f, ok := p.longest(i, hi, kFor); ok {
		i += f.n
	}
	v := match{entry{kSearch, anyLang, ""}, m.n}
	c := p.web.search(v, span{lo, lo + m.n}, i, hi)
	if c.outcome != good || c.named {
		return none
	}
	c.named, c.fronted = true, true
	c.drafts[0].goal.Platform = m.value
	c.drafts[0].spans = append(c.drafts[0].spans, slotSpan{"platform", span{lo, lo + m.n}, false})
	return c
}
