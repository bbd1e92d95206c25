package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// skipPlace passes over what stands between the verb and the query: small
// words, "on youtube for", "youtube for", "the web for", "in it".
func (s *search) skipPlace(lo, hi int) {
	p, i := s.p, s.p.SkipPauses(lo, hi)
	if i = s.skipPageReference(i, hi); s.c.PointsAtPage {
		s.q = parse.Span{Lo: p.SkipFillers(i, hi), Hi: hi}
		return
	}
	if _, full := p.FindEnding(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.For); !full {
		i = p.SkipFillers(lo, hi) // but "search for me and my shadow"
		if _, joins := p.Longest(i, hi, lexicon.And, lexicon.Or); joins {
			i = p.SkipPauses(lo, hi) // "find Now and Forever"
		}
	}
	s.q = parse.Span{Lo: i, Hi: hi}
	takesSite := lexicon.HasKind([]lexicon.Kind{lexicon.SearchIn, lexicon.SearchInGerund, lexicon.SearchAt}, s.verb.Kind) || p.IsPhrase(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.SearchIn)
	i = p.skipEither(i, hi)
	m, on := p.Longest(i, hi, lexicon.On, lexicon.Use)
	if _, ended := p.FindEnding(s.c.Verb.Lo+1, s.c.Verb.Hi, lexicon.On); ended && !on { // "run a search on github for …"
		m, on = lexicon.Match{}, true
	}
	var where Site
	switch {
	case on && p.matchSite(p.skipEither(i+m.Len, hi), hi, &where):
		s.setSite(p.skipEither(i+m.Len, hi), where)
		s.q.Lo = s.siteSpan.Hi
	case takesSite && p.matchSite(i, hi, &where) && !p.belongsToQuery(i, hi, where):
		s.setSite(i, where)
		s.q.Lo = i + where.Len
	default:
		if m, ok := p.Longest(i, hi, lexicon.Web); ok {
			s.web, s.q.Lo = true, i+m.Len
		}
	}
	if s.c.SiteFirst = s.c.NamesSite; s.c.SiteFirst {
		if s.readSiteChoice(hi) {
			return
		}
		s.readMoreSites(hi)
		if m, ok := p.Longest(s.q.Lo, hi, lexicon.Instead); ok { // "search bing instead of google for tea"
			if e, ok := p.EntityAt(s.q.Lo+m.Len, hi, false); ok {
				s.q.Lo += m.Len + e.Len
			}
		}
	}
	if m, ok := p.Longest(s.q.Lo, hi, lexicon.AsPlace); ok && s.c.SiteFirst && s.q.Lo+m.Len < hi {
		s.q.Lo += m.Len // "search youtube in chrome for cats"
	}
	if s.c.SiteFirst || s.web {
		at := p.SkipFillers(s.q.Lo, hi)
		if _, joins := p.Longest(at, hi, lexicon.And, lexicon.Or); !joins { // "for me and my shadow"
			s.q.Lo = at
		}
	}
	s.c.SiteUnmarked = on && s.q.Lo == s.siteSpan.Hi
	if m, ok := p.Longest(s.q.Lo, hi, lexicon.AfterSite); ok && s.c.SiteFirst { // "google images of cats"
		s.q.Lo += m.Len
	}
	if m, ok := p.Longest(s.q.Lo, hi, lexicon.For); ok && (s.c.SiteFirst || s.web || takesSite) {
		s.q.Lo += m.Len
		s.c.SiteUnmarked = false
	}
	if m, ok := p.Longest(s.q.Lo, hi, lexicon.Field); ok && m.Len > 1 && s.q.Lo+m.Len < hi && !s.c.NamesSite { // "find in it"
		s.q.Lo += m.Len
		s.c.NeedsPage = true
	}
}

// DropPageWords leaves "there" and "videos of" out of the query of a search in the page just
// opened, which is that of the site.
func (p *Reader) DropPageWords(c *parse.Clause, site string) {
	carrier := c.CarrierWords
	if p.Words.Catalogue.Engine(site) {
		carrier = 0
	}
	for i := range c.Drafts {
		d := &c.Drafts[i]
		for j := range d.Spans {
			if s := &d.Spans[j]; s.Slot == "query" && d.Goal.Platform == "" && s.Hi-c.PageWords > s.Lo+carrier {
				s.Lo += carrier
				s.Hi -= c.PageWords
				d.Goal.Query = p.Cut(s.Lo, s.Hi)
			}
		}
	}
}

// skipPageReference passes over "there for", "in it": the page just opened is meant.
func (s *search) skipPageReference(i, hi int) int {
	at := s.p.Skip(i, hi, lexicon.Filler)
	for _, from := range []int{i, at} {
		if m, ok := s.p.Longest(from, hi, lexicon.There); ok && from+m.Len < hi {
			s.c.NeedsPage, s.c.PointsAtPage = true, true
			return from + m.Len
		}
	}
	return i
}

// skipEither passes over the word before the first of two sites.
func (p *Reader) skipEither(i, hi int) int {
	m, ok := p.Longest(i, hi, lexicon.Or)
	if _, site := p.SiteAt(i+m.Len, hi, false); ok && site {
		return i + m.Len
	}
	return i
}

// readSiteChoice notes "youtube or bing" before a query, or without one.
func (s *search) readSiteChoice(hi int) bool {
	or, ok := s.p.Longest(s.q.Lo, hi, lexicon.Or)
	if !ok {
		return false
	}
	from := s.q.Lo + or.Len
	if on, ok := s.p.Longest(from, hi, lexicon.On); ok {
		from += on.Len
	}
	other, ok := s.p.SiteAt(from, hi, false)
	if !ok {
		return false
	}
	s.choices, s.choiceSpan = s.p.siteChoices(s.site.ID, other.ID), parse.Span{Lo: s.siteSpan.Lo, Hi: from + other.Len}
	return true
}

// readMoreSites passes over "and on google" after a site, if a query is left.
func (s *search) readMoreSites(hi int) {
	p := s.p
	for {
		and, ok := p.Longest(s.q.Lo, hi, lexicon.And)
		on, is := p.Longest(s.q.Lo+and.Len, hi, lexicon.On)
		_, marked := p.Longest(s.siteSpan.Lo-1, s.siteSpan.Lo, lexicon.On)
		if !ok || !is && (!marked || p.Words.Packs[s.verb.Lang].NameFirst) {
			return
		}
		from := s.q.Lo + and.Len + on.Len
		next, ok := p.SiteAt(from, hi, false)
		if !ok || from+next.Len >= p.TrimTail(s.q.Lo, hi, true) {
			return
		}
		s.moreSites, s.q.Lo = append(s.moreSites, next), from+next.Len
	}
}

// trimPlace cuts off the last "on <site>" or "on the web", unless a site stands
// before the query: then it is part of the query. A choice between sites is
// returned, with where it stands.
func (s *search) trimPlace() ([]plan.Choice, parse.Span) {
	if s.c.NamesSite || s.web {
		return nil, parse.Span{}
	}
	p := s.p
	for _, end := range []int{s.end, s.q.Hi} {
		from, where, ok := p.TrailingSite(s.q.Lo, end)
		if _, with := p.Longest(from, end, lexicon.Use); !ok || with && s.verb.Kind == lexicon.SearchOn {
			continue // "open a tab with youtube" isn't a search
		}
		if _, not := p.FindEnding(s.q.Lo, from, lexicon.Instead); not { // "not on google"
			s.c.Outcome, s.c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: from, Hi: end})
			return nil, parse.Span{}
		}
		if choices, at := p.matchSiteChoice(s.q.Lo, from, end); choices != nil {
			return choices, at
		}
		s.setSite(end-where.Len, where)
		if but, ok := p.FindEnding(s.q.Lo, from, lexicon.But); ok { // "not on google but on bing"
			before := from - but.Len
			for before > s.q.Lo && p.Tokens[before-1].Shape == lexicon.MarkShape {
				before--
			}
			if at := p.TrimContrast(s.q.Lo, before); at < before {
				from = at
			}
		}
		s.q.Hi = p.TrimTail(s.q.Lo, from, false)
		return nil, parse.Span{}
	}
	if m, ok := p.FindEnding(s.q.Lo, s.end, lexicon.Web); ok {
		s.web, s.q.Hi = true, p.TrimTail(s.q.Lo, s.end-m.Len, false)
	}
	return p.matchSharedSiteChoice(s.q.Lo, s.end)
}
