package page

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// readText reads "read example.com", "what does example.com say".
func (p *Reader) readText(lo, hi int) parse.Clause {
	if p.IsPhrase(lo, hi, lexicon.ReadThat) {
		return p.onPages(action{verb: parse.Span{Lo: lo, Hi: hi}, lang: lexicon.AnyLang, key: plan.ReadPage}, hi, hi)
	}
	m, ok := p.Longest(lo, hi, lexicon.ReadOut, lexicon.WhatSays, lexicon.WhatsOn)
	if !ok {
		return parse.Clause{}
	}
	d := action{verb: parse.Span{Lo: lo, Hi: lo + m.Len}, lang: m.Lang, key: plan.ReadPage}
	end := hi
	if m.Kind == lexicon.WhatSays {
		says, ok := p.FindEnding(lo+m.Len, hi, lexicon.Says)
		if !ok {
			return parse.Clause{}
		}
		end = hi - says.Len
		d.suffix = parse.Span{Lo: end, Hi: hi}
	} else {
		end = p.trimDestination(lo+m.Len, hi, &d.destination)
	}
	if d.destination != (parse.Destination{}) {
		return parse.Clause{} // the text is shown and not saved
	}
	at := p.Skip(p.Skip(lo+m.Len, end, lexicon.Filler), end, lexicon.Of)
	if f, ok := p.FindEnding(at+1, end, lexicon.Filler, lexicon.Aloud); ok { // "read it to me"
		end -= f.Len
	}
	if at >= end && m.Kind == lexicon.ReadOut && m.Len > 1 && p.verbNamesText(lo, m) { // "show the text", of the page before
		return p.onPages(d, hi, hi)
	}
	if at >= end || m.Kind == lexicon.WhatsOn && !p.isAddress(at, end) {
		return parse.Clause{} // "read" without an object
	}
	if c := p.readArticle(d, at, end); c.Outcome == parse.Understood {
		return c
	}
	return p.onPages(d, at, end)
}

// verbNamesText reports whether a phrase of reading names the text: "show the text",
// but not "read me".
func (p *Reader) verbNamesText(lo int, m lexicon.Match) bool {
	_, shows := p.Longest(lo, lo+m.Len, lexicon.Show)
	return shows
}

// readArticle reads "the article about otters on wikipedia", "the wikipedia article
// about otters": the page that a search for it shows.
func (p *Reader) readArticle(d action, lo, hi int) parse.Clause {
	at := p.Skip(lo, hi, lexicon.Determiner)
	if e, ok := p.Web.EntityAt(at, hi, false); ok && e.Site {
		d.site, lo, at = e, at+e.Len, at+e.Len
	}
	if _, one := p.Longest(at, hi, lexicon.SingleResult); !one {
		return parse.Clause{} // of several articles it is unclear which
	}
	for _, from := range []int{lo, at} { // "the" may be part of the phrase
		if m, ok := p.Longest(from, hi, lexicon.Carrier, lexicon.CarrierMedia); ok && from+m.Len < hi {
			if c := p.onSearch(d, from+m.Len, hi); c.Outcome == parse.Understood && (d.site.Len > 0 || c.NamesSite) {
				return c
			}
		}
	}
	return parse.Clause{}
}

// isAddress reports whether [lo,hi) ends in an address rather than in a name.
func (p *Reader) isAddress(lo, hi int) bool {
	if p.Tokens[hi-1].Shape == lexicon.LinkShape {
		return true
	}
	_, spoken := p.Web.SpokenAddress(p.Skip(lo, hi, lexicon.Determiner), hi)
	return spoken || p.IsPhrase(lo, hi, lexicon.ThisPage)
}
