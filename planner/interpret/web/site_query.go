package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Two forms name the site before what to look for there, without a verb of searching.

// openArticle reads "the wiki article on the roman empire" after a verb of opening.
func (p *Reader) openArticle(verb lexicon.Match, at parse.Span, lo, hi int) parse.Clause {
	lo = p.SkipDeterminer(lo, hi)
	s, ok := p.SiteAt(lo, hi, false)
	if !ok {
		return parse.Clause{}
	}
	end := lo + s.Len
	_, page := p.FindEnding(lo+1, end, lexicon.SiteNoun) // "the wikipedia page about"
	noun, is := p.Longest(end, hi, lexicon.SiteThing)
	about, ok := p.Longest(end+noun.Len, hi, lexicon.About)
	if !ok || !is && !page {
		return parse.Clause{}
	}
	return searchOn(p, s, parse.Span{Lo: lo, Hi: end}, verb.Lang, at, parse.Span{Lo: end + noun.Len + about.Len, Hi: hi})
}

// SiteSays reads "what does wikipedia say about octopuses".
func (p *Reader) SiteSays(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	m, ok := p.Longest(lo, hi, lexicon.SiteSays)
	if !ok {
		return none
	}
	s, ok := p.SiteAt(lo+m.Len, hi, false)
	if !ok {
		return none
	}
	end := lo + m.Len + s.Len
	about, ok := p.Longest(end, hi, lexicon.SaysAbout)
	if !ok {
		return none
	}
	c := searchOn(p, s, parse.Span{Lo: lo + m.Len, Hi: end}, m.Lang, parse.Span{Lo: lo, Hi: lo + m.Len}, parse.Span{Lo: end + about.Len, Hi: hi})
	c.IsTopic = c.Outcome == parse.Understood
	return c
}

// searchOn searches a site for the words in query, unless they name another place.
func searchOn(p *Reader, s Site, at parse.Span, lang uint8, verb, query parse.Span) parse.Clause {
	c := p.Search(lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.Search, Lang: lang}, Len: verb.Hi - verb.Lo}, verb, query.Lo, query.Hi)
	if c.Outcome != parse.Understood || c.NamesSite || c.NeedsPage || len(c.Drafts) != 1 {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	c.NamesSite, c.SiteFirst = true, true
	d := &c.Drafts[0]
	d.Goal.Platform = s.ID
	d.Spans = append(d.Spans, parse.SlotSpan{Slot: "platform", Span: at})
	return c
}
