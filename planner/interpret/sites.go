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
func (p *webReader) siteAt(i, hi int, typo bool) (site, bool) {
	from := i
	i = p.determiner(i, hi)
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
		s, ok := p.words.catalogue.SiteOf(u.Hostname())
		if !ok {
			return site{}, false
		}
		found = site{id: s.ID, n: 1}
	} else if typo && t.shape == word {
		e, ok := p.words.nearest(t.fold, true, kSite, kApp)
		if !ok || e.kind != kSite && !p.words.catalogue.Searchable(e.value) {
			return site{}, false
		}
		found = site{id: e.value, n: 1, fuzzy: true}
	} else {
		return site{}, false
	}
	if !p.words.catalogue.Searchable(found.id) {
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
func (p *webReader) spokenDomain(i, hi int) int {
	m, ok := p.longest(i, hi, kSpoken)
	if !ok || m.value != "." || i+m.n >= hi || p.toks[i+m.n].shape != word {
		return 0
	}
	if !isDomain("x." + p.said(i+m.n, kSuffix)) {
		return 0
	}
	return m.n + 1
}

// said is what a token means in words of another script: a top-level domain
// or letters of an extension. Without a meaning it is the word itself.
func (p *Text) said(i int, k kind) string {
	if m, ok := p.longest(i, i+1, k); ok {
		return m.value
	}
	return p.fold(i)
}

// trailingSite finds the last "on <site>" of [lo,hi), which has to end there.
func (p *webReader) trailingSite(lo, hi int) (from int, s site, ok bool) {
	for i := hi - 1; i >= max(lo, hi-maxPhrase); i-- {
		m, is := p.longest(i, hi, kOn, kUse)
		if !is {
			continue
		}
		for _, typo := range []bool{false, true} {
			at := p.either(i+m.n, hi)
			if s, ok := p.siteAt(at, hi, typo); ok && at+s.n == hi {
				return i, s, true
			}
		}
	}
	return 0, site{}, false
}

func (p *webReader) siteFollows(i, hi int, s *site) bool {
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
func (p *webReader) queryItself(i, hi int, s site) bool {
	if _, isFor := p.longest(i+s.n, hi, kFor); isFor || i+s.n >= hi {
		return false
	}
	end := p.tail(i, hi, true)
	from, _, ok := p.trailingSite(i+s.n, end)
	return ok && from > i
}

// otherSites finds "on youtube or google": the site before the last phrase
// joined by "or".
func (p *webReader) otherSites(lo, from, end int) ([]plan.Choice, span) {
	if from-1 > lo {
		if m, ok := p.ending(lo, from, kOr); ok {
			if first, s, ok := p.trailingSite(lo, from-m.n); ok {
				_, last, _ := p.trailingSite(lo, end)
				on, _ := p.longest(first, end, kOn, kUse)
				return p.siteChoices(s.id, last.id), span{first + on.n, end}
			}
		}
	}
	return nil, span{}
}

// orSites finds "on youtube or google" where one preposition serves both.
func (p *webReader) orSites(lo, hi int) ([]plan.Choice, span) {
	for i := hi - 1; i > lo && i >= hi-maxPhrase; i-- {
		m, ok := p.longest(i, hi, kOr)
		if !ok {
			continue
		}
		if s, ok := p.siteAt(i+m.n, hi, false); ok && i+m.n+s.n == hi {
			if from, first, ok := p.trailingSite(lo, i); ok {
				on, _ := p.longest(from, hi, kOn, kUse)
				return p.siteChoices(first.id, s.id), span{from + on.n, hi}
			}
		}
	}
	return nil, span{}
}

func (p *webReader) siteChoices(ids ...string) []plan.Choice {
	out := make([]plan.Choice, 0, len(ids))
	for _, id := range ids {
		out = append(out, plan.Choice{Label: p.words.siteName(id), Value: id})
	}
	return out
}
