package page

import (
	"errors"
	"strconv"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// maxRows is the largest number of rows that a goal may list.
const maxRows = 100

// readRows reads "show the first 5 results", "list the links on example.com", "top 3
// youtube results for cats". Without a count the verb must be one of listing,
// because "show results for cats" is a search.
func (p *Reader) readRows(lo, hi int) parse.Clause {
	d := action{lang: lexicon.AnyLang}
	verb, listing := rowVerb(p, lo, hi)
	at := lo
	if listing {
		d.verb, d.lang, at = parse.Span{Lo: lo, Hi: lo + verb.Len}, verb.Lang, lo+verb.Len
	}
	from := p.Skip(at, hi, lexicon.Filler, lexicon.Determiner, lexicon.BulkAll, lexicon.Of)
	if listing {
		if q, asks := p.askLastRows(from, hi); asks {
			return p.askRows(d, q, from)
		}
	}
	at = p.skipCount(&d, from, hi)
	counted := at > from
	if listing && at >= hi {
		return p.readCountOnly(d, from, hi)
	}
	at = p.Skip(at, hi, lexicon.Of, lexicon.Determiner)
	if e, ok := p.Web.EntityAt(at, hi, false); ok && e.Site {
		if _, noun := p.Longest(at+e.Len, hi, lexicon.Results, lexicon.CountedResults); noun {
			d.site = e
			at += e.Len
		}
	}
	nouns := []lexicon.Kind{lexicon.Results, lexicon.Links}
	if counted || verb.Kind == lexicon.List {
		nouns = append(nouns, lexicon.CountedResults)
	}
	noun, ok := p.Longest(at, hi, nouns...)
	if _, about := p.Longest(at+noun.Len, hi, lexicon.For, lexicon.Of); ok && p.IsPhrase(at, at+noun.Len, lexicon.SearchIn) && !about && at+noun.Len < hi {
		return parse.Clause{} // "the top 5 search terms"
	}
	if !ok && verb.Kind == lexicon.ListCounted {
		return p.readRowVerb(d, hi)
	}
	if q, asks := p.askCount(d, verb, noun, parse.Span{Lo: at, Hi: hi}); ok && asks {
		return p.askRows(d, q, from)
	}
	if d.count.Hi > 0 && !isCountInRange(d.limit) {
		return parse.Clause{}
	}
	of, isOf := p.Longest(at+noun.Len, hi, lexicon.Of)
	if genitive := ok && !p.Words.Packs[noun.Lang].NameFirst; (isOf || genitive) && noun.Kind == lexicon.Links && verb.Len == 0 && !counted {
		d.verb, d.lang, d.key = parse.Span{Lo: lo, Hi: at + noun.Len}, noun.Lang, plan.ListLinks
		return p.onNamedPage(d, at+noun.Len+of.Len, hi)
	}
	if !ok || !listing && d.limit < 2 || !counted && !listing || !counted && verb.Kind == lexicon.Search || noun.Kind == lexicon.CountedResults && verb.Kind == lexicon.Search {
		return parse.Clause{}
	}
	if !listing {
		d.verb, d.lang = parse.Span{Lo: lo, Hi: at + noun.Len}, noun.Lang
	}
	return rowHead{verb: verb, noun: noun, start: from, listing: listing, hasCount: counted}.read(p, d, at+noun.Len, hi)
}

// rowHead is the beginning of a command that lists rows, up to its noun.
type rowHead struct {
	verb, noun        lexicon.Match
	start             int // where the words for the rows begin
	listing, hasCount bool
}

// read reads where the rows are, behind the noun.
func (h rowHead) read(p *Reader, d action, at, hi int) parse.Clause {
	verb, noun, from, listing, counted := h.verb, h.noun, h.start, h.listing, h.hasCount
	if noun.Kind == lexicon.Links {
		_, about := p.Longest(at, hi, lexicon.For)
		of, page := p.Longest(at, hi, lexicon.Of)
		if !about || page {
			d.key = plan.ListLinks
			return p.onPages(d, at+of.Len, hi)
		}
	}
	if d.key = plan.ListResults; listing || counted {
		if q, ok := p.askWhichRows(d, parse.Span{Lo: from, Hi: at}, noun.Kind, hi); ok {
			return p.askRows(d, q, from)
		}
	}
	if noun.Kind == lexicon.CountedResults && !counted {
		return parse.Clause{} // "list videos about cats"
	}
	if e, ok := p.Web.EntityAt(at, hi, false); ok && e.Site && d.site.Len == 0 { // «результаты гугла по запросу …»
		if _, about := p.Longest(at+e.Len, hi, lexicon.For); about {
			d.site = e
			at += e.Len
		}
	}
	if at >= hi || d.site.Len == 0 && p.IsPhrase(p.Skip(at, hi, lexicon.Of, lexicon.Determiner), hi, lexicon.ThisPage, lexicon.There, lexicon.ThereLast) {
		c := p.onPages(d, hi, hi)
		if noun.Kind == lexicon.CountedResults && len(c.Drafts) == 1 {
			c.Drafts[0].RowWords = parse.Span{Lo: from, Hi: at}
		}
		return c
	}
	if !counted && verb.Kind != lexicon.List {
		return parse.Clause{} // "show results for bikes on ebay" is a search
	}
	for i := at; i < hi; i++ {
		if shape := p.Tokens[i].Shape; (shape == lexicon.FileShape || shape == lexicon.PathShape) && d.site.Len == 0 {
			return parse.Clause{} // "the first 5 lines of todo.txt"
		}
	}
	return p.onSearch(d, at, hi)
}

// rowVerb returns the verb at lo that may ask for rows: of phrases as long, that of listing.
func rowVerb(p *Reader, lo, hi int) (verb lexicon.Match, ok bool) {
	verb, ok = p.Longest(lo, hi, lexicon.List, lexicon.ListCounted, lexicon.Show, lexicon.Search)
	for _, m := range p.Matches[lo] {
		if m.Kind == lexicon.List && m.Len >= verb.Len && lo+m.Len <= hi {
			verb, ok = m, true
		}
	}
	return verb, ok
}

// onNamedPage applies an action to the one page that [lo,hi) names. "Links of my
// family" names none.
func (p *Reader) onNamedPage(d action, lo, hi int) parse.Clause {
	if c := p.onPages(d, lo, hi); len(c.Drafts) == 1 && !c.Drafts[0].AboutLastPage && c.Drafts[0].Goal.GoalType == plan.BrowserNavigate {
		return c
	}
	return parse.Clause{}
}

// skipCount passes over "first 5", "5", "top", "five first".
func (p *Reader) skipCount(d *action, i, hi int) int {
	from := i
	i = p.Skip(i, hi, lexicon.First)
	if n, words := p.Number(i, hi); words > 0 {
		d.limit, d.count = n, parse.Span{Lo: i, Hi: i + words}
		i = p.Skip(i+words, hi, lexicon.First)
	} else if i > from {
		d.limit, d.count = 1, parse.Span{Lo: from, Hi: i} // "the first result"
		if m, ok := p.Longest(i, hi, lexicon.Results, lexicon.CountedResults, lexicon.Links); ok && p.isPlural(i, m.Len) {
			d.limit, d.count = 0, parse.Span{} // "the top results"
		}
	}
	return i
}

// isPlural reports whether a noun is plural, if the language has a kind for its
// singular.
func (p *Reader) isPlural(i, n int) bool {
	_, single := p.Longest(i, i+n, lexicon.SingleResult)
	return !single
}

// Number is a count in figures or words, and the number of its tokens. The count may
// be out of range.
func (p *Reader) Number(i, hi int) (n, words int) {
	if i >= hi {
		return 0, 0
	}
	m, ok := p.Longest(i, hi, lexicon.Count)
	word := p.Fold(i)
	if ok {
		word, words = m.Value, m.Len
	} else {
		words = 1
	}
	if word == "" || word[0] != '-' && !lexicon.IsDigit(word[0]) {
		return 0, 0
	}
	n, err := strconv.Atoi(word)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n = maxRows + 1
	case err != nil:
		return 0, 0
	}
	return n, words
}

// onSearch applies an action to the search in [lo,hi): "for cats on youtube".
func (p *Reader) onSearch(d action, lo, hi int) parse.Clause {
	at := lo
	if m, ok := p.Longest(at, hi, lexicon.For, lexicon.Of); ok {
		at += m.Len
	}
	at = p.Skip(at, hi, lexicon.SearchGerund)
	if from, _, site := p.Web.TrailingSite(lo, hi); at >= hi || site && from == lo {
		return parse.Clause{} // "the first 5 videos on youtube": of what?
	}
	s := p.Web.Search(lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.Search, Lang: d.lang, Value: ""}, Len: at - lo}, parse.Span{Lo: lo, Hi: at}, at, hi)
	if s.Outcome != parse.Understood || s.NeedsPage || s.NamesSite && d.site.Len > 0 {
		return parse.Clause{}
	}
	if d.site.Len > 0 && !p.Words.Catalogue.Searchable(d.site.ID) {
		return parse.Clause{}
	}
	for i := range s.Drafts {
		if d.site.Len > 0 {
			s.Drafts[i].Goal.Platform = d.site.ID
		}
		p.setAction(&s.Drafts[i], d)
	}
	s.Frame, s.Verb, s.Body, s.FreeText = parse.PageFrame, d.verb, at, true
	return s
}
