package web

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// Site is a place to search, found at a token.
type Site struct {
	ID    string
	Len   int // tokens
	Fuzzy bool
}

// maxDescription is the largest number of words that describe a site before its name.
const maxDescription = 3

// skipDescription skips the words of "code hosting site GitHub" before "site", if the name of a site follows.
func skipDescription(p *Reader, i, hi int) int {
	for at := i; at < min(hi, i+maxDescription+1); at++ {
		if noun, ok := p.Longest(at, hi, lexicon.SiteNoun); ok {
			if _, named := p.Longest(at+noun.Len, hi, lexicon.Site); named {
				return at
			}
			return i
		}
		if _, other := p.Longest(at, hi, lexicon.Site, lexicon.App, lexicon.In, lexicon.On, lexicon.Of, lexicon.For, lexicon.Mine); other || p.Tokens[at].Shape != lexicon.WordShape {
			return i
		}
	}
	return i
}

// SiteAt finds a searchable site at token i: its name, its domain or its
// spoken domain, with a determiner before and "website" after it.
func (p *Reader) SiteAt(i, hi int, typo bool) (Site, bool) {
	from := i
	i = p.SkipDeterminer(i, hi)
	if i > from {
		i = skipDescription(p, i, hi)
	}
	for {
		m, ok := p.Longest(i, hi, lexicon.SiteNoun, lexicon.AppNoun)
		if _, isSite := p.Longest(i, hi, lexicon.Site); !ok || isSite || i+m.Len >= hi {
			break
		}
		i += m.Len
	}
	if i >= hi {
		return Site{}, false
	}
	var found Site
	t := p.Tokens[i]
	if m, ok := p.Longest(i, hi, lexicon.Site); ok {
		found = Site{ID: m.Value, Len: m.Len}
		if n := p.spokenDomain(i+m.Len, hi); n > 0 {
			found.Len += n
		}
	} else if t.Shape == lexicon.LinkShape {
		u, _ := lexicon.ParseAddress(t.Value)
		if u == nil || strings.Trim(u.Path, "/") != "" {
			return Site{}, false
		}
		s, ok := p.Words.Catalogue.SiteOf(u.Hostname())
		if !ok {
			return Site{}, false
		}
		found = Site{ID: s.ID, Len: 1}
	} else if typo && t.Shape == lexicon.WordShape {
		e, ok := p.Words.CorrectTypo(t.Fold, true, lexicon.Site, lexicon.App)
		if !ok || e.Kind != lexicon.Site && !p.Words.Catalogue.Searchable(e.Value) {
			return Site{}, false
		}
		found = Site{ID: e.Value, Len: 1, Fuzzy: true}
	} else {
		return Site{}, false
	}
	if !p.Words.Catalogue.Searchable(found.ID) {
		return Site{}, false
	}
	i += found.Len
	if m, ok := p.Longest(i, hi, lexicon.SiteNoun, lexicon.AppNoun); ok {
		i += m.Len
	} else if p.IsPhrase(i, hi, lexicon.SiteEnd) {
		i = hi
	}
	found.Len = i - from
	return found, true
}

// spokenDomain is the length of "dot com" at token i.
func (p *Reader) spokenDomain(i, hi int) int {
	m, ok := p.Longest(i, hi, lexicon.Spoken)
	if !ok || m.Value != "." || i+m.Len >= hi || p.Tokens[i+m.Len].Shape != lexicon.WordShape {
		return 0
	}
	if !lexicon.IsDomain("x." + p.Meaning(i+m.Len, lexicon.Suffix)) {
		return 0
	}
	return m.Len + 1
}

// TrailingSite finds the last "on <site>" of [lo,hi), which has to end there.
func (p *Reader) TrailingSite(lo, hi int) (from int, s Site, ok bool) {
	for i := hi - 1; i >= max(lo, hi-parse.MaxPhrase); i-- {
		m, is := p.Longest(i, hi, lexicon.On, lexicon.Use)
		if !is {
			continue
		}
		for _, typo := range []bool{false, true} {
			at := p.skipEither(i+m.Len, hi)
			if s, ok := p.SiteAt(at, hi, typo); ok && at+s.Len == hi {
				return i, s, true
			}
		}
	}
	return 0, Site{}, false
}

func (p *Reader) matchSite(i, hi int, s *Site) bool {
	found, ok := p.SiteAt(i, hi, false)
	if !ok {
		if found, ok = p.SiteAt(i, hi, true); ok && i+found.Len < hi {
			_, isFor := p.Longest(i+found.Len, hi, lexicon.For)
			ok = isFor // a corrected name has to be followed by "for"
		}
	}
	*s = found
	return ok
}

// belongsToQuery reports whether the site right after a verb is rather part of
// the query: another site is named at the end ("search amazon rainforest on
// wikipedia").
func (p *Reader) belongsToQuery(i, hi int, s Site) bool {
	if _, isFor := p.Longest(i+s.Len, hi, lexicon.For); isFor || i+s.Len >= hi {
		return false
	}
	end := p.TrimTail(i, hi, true)
	from, _, ok := p.TrailingSite(i+s.Len, end)
	return ok && from > i
}

// matchSiteChoice finds "on youtube or google": the site before the last phrase
// joined by "or".
func (p *Reader) matchSiteChoice(lo, from, end int) ([]plan.Choice, parse.Span) {
	if from-1 > lo {
		if m, ok := p.FindEnding(lo, from, lexicon.Or); ok {
			if first, s, ok := p.TrailingSite(lo, from-m.Len); ok {
				_, last, _ := p.TrailingSite(lo, end)
				on, _ := p.Longest(first, end, lexicon.On, lexicon.Use)
				return p.siteChoices(s.ID, last.ID), parse.Span{Lo: first + on.Len, Hi: end}
			}
		}
	}
	return nil, parse.Span{}
}

// matchSharedSiteChoice finds "on youtube or google" where one preposition serves both.
func (p *Reader) matchSharedSiteChoice(lo, hi int) ([]plan.Choice, parse.Span) {
	for i := hi - 1; i > lo && i >= hi-parse.MaxPhrase; i-- {
		m, ok := p.Longest(i, hi, lexicon.Or)
		if !ok {
			continue
		}
		if s, ok := p.SiteAt(i+m.Len, hi, false); ok && i+m.Len+s.Len == hi {
			if from, first, ok := p.TrailingSite(lo, i); ok {
				on, _ := p.Longest(from, hi, lexicon.On, lexicon.Use)
				return p.siteChoices(first.ID, s.ID), parse.Span{Lo: from + on.Len, Hi: hi}
			}
		}
	}
	return nil, parse.Span{}
}

func (p *Reader) siteChoices(ids ...string) []plan.Choice {
	out := make([]plan.Choice, 0, len(ids))
	for _, id := range ids {
		out = append(out, plan.Choice{Label: message.Verbatim(p.Words.SiteName(id)), Value: id})
	}
	return out
}
