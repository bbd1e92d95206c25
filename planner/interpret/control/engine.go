package control

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// readEngine reads commands that set the search engine without naming that setting, because they
// say that it stays: "use duckduckgo from now on", "always search with bing". The site must be a
// search engine, and nothing may be left to search for.
func (p *Reader) readEngine(lo, hi int) parse.Clause {
	none := parse.Clause{Lang: lexicon.AnyLang}
	end := p.trimNow(lo, hi)
	at := p.Skip(lo, end, lexicon.SetNow, lexicon.SetDefault)
	stays := at > lo || end < p.TrimTail(lo, hi, true)
	verb, ok := p.Longest(lo, end, lexicon.SetSearch)
	if ok {
		at = lo
	} else if verb, ok = p.Longest(at, end, lexicon.SetVerb, lexicon.Search, lexicon.SearchIn); !ok || !stays {
		return none
	}
	from := p.Skip(at+verb.Len, end, lexicon.BulkAll)
	if on, ok := p.Longest(from, end, lexicon.On, lexicon.Use); ok {
		from += on.Len
	}
	value := parse.Span{Lo: from, Hi: end}
	site, ok := p.value(PlatformSetting, value)
	if !ok || !p.Words.Catalogue.Engine(site) {
		return none
	}
	span := parse.Span{Lo: at, Hi: at + verb.Len}
	return p.set(verb, span, span, PlatformSetting, value, site)
}

// trimNow cuts politeness and "from now on" off the end.
func (p *Reader) trimNow(lo, hi int) int {
	end := p.TrimTail(lo, hi, true)
	if m, ok := p.FindEnding(lo+1, end, lexicon.SetNow, lexicon.SetDefault); ok {
		return end - m.Len
	}
	return end
}
