package interpret

import (
	"errors"
	"strconv"

	"errand/planner/plan"
)

// maxRows bounds what a person may ask to be told of a page.
const maxRows = 100

// rows reads "show the first 5 results", "list the links on example.com", "top
// 3 youtube results for cats". Without a count the verb has to be one of
// listing: to show the results of a search is what a search does.
func (p *pageReader) rows(lo, hi int) clause {
	d := pageDeed{lang: anyLang}
	verb, listing := p.longest(lo, hi, kList, kTell, kShow, kSearch)
	for _, m := range p.marks[lo] { // of phrases as long, the verb of listing
		if m.kind == kList && m.n >= verb.n && lo+m.n <= hi {
			verb, listing = m, true
		}
	}
	at := lo
	if listing {
		d.verb, d.lang, at = span{lo, lo + verb.n}, verb.lang, lo+verb.n
	}
	from := p.skip(at, hi, kFiller, kDet, kBulkAll, kOf)
	if listing {
		if q, asks := p.lastRows(from, hi); asks {
			return p.rowsAsk(d, q, from)
		}
	}
	at = p.counted(&d, from, hi)
	counted := at > from
	if listing && at >= hi {
		return p.rowsAlone(d, from, hi)
	}
	at = p.skip(at, hi, kOf, kDet)
	if e, ok := p.web.entityAt(at, hi, false); ok && e.site {
		if _, noun := p.longest(at+e.n, hi, kResults, kHits); noun {
			d.site = e
			at += e.n
		}
	}
	nouns := []kind{kResults, kLinks}
	if counted || verb.kind == kList {
		nouns = append(nouns, kHits)
	}
	noun, ok := p.longest(at, hi, nouns...)
	if !ok && verb.kind == kTell {
		return p.rowsInVerb(d, hi)
	}
	if q, asks := p.uncountable(d, verb, noun, span{at, hi}); ok && asks {
		return p.rowsAsk(d, q, from)
	}
	if d.count.hi > 0 && !tellable(d.limit) {
		return clause{}
	}
	of, isOf := p.longest(at+noun.n, hi, kOf)
	if genitive := ok && !p.words.packs[noun.lang].NameFirst; (isOf || genitive) && noun.kind == kLinks && verb.n == 0 && !counted {
		d.verb, d.lang, d.key = span{lo, at + noun.n}, noun.lang, plan.ListLinks
		return p.named(d, at+noun.n+of.n, hi)
	}
	if !ok || !listing && d.limit < 2 || !counted && !listing || !counted && verb.kind == kSearch || noun.kind == kHits && verb.kind == kSearch {
		return clause{}
	}
	if !listing {
		d.verb, d.lang = span{lo, at + noun.n}, noun.lang
	}
	at += noun.n
	if noun.kind == kLinks {
		_, about := p.longest(at, hi, kFor)
		of, page := p.longest(at, hi, kOf)
		if !about || page {
			d.key = plan.ListLinks
			return p.onto(d, at+of.n, hi)
		}
	}
	if d.key = plan.ListResults; listing || counted {
		if q, ok := p.rowsOfNothing(d, span{from, at}, noun.kind, hi); ok {
			return p.rowsAsk(d, q, from)
		}
	}
	if noun.kind == kHits && !counted {
		return clause{} // "list videos about cats"
	}
	if e, ok := p.web.entityAt(at, hi, false); ok && e.site && d.site.n == 0 { // «результаты гугла по запросу …»
		if _, about := p.longest(at+e.n, hi, kFor); about {
			d.site = e
			at += e.n
		}
	}
	if at >= hi || d.site.n == 0 && p.covers(p.skip(at, hi, kOf, kDet), hi, kThisPage, kThere, kThereLast) {
		c := p.onto(d, hi, hi)
		if noun.kind == kHits && len(c.drafts) == 1 {
			c.drafts[0].rows = span{from, at}
		}
		return c
	}
	if !counted && verb.kind != kList {
		return clause{} // "show results for bikes on ebay" is a search
	}
	return p.found(d, at, hi)
}

// named gives a deed the one page that [lo,hi) names: "links of my family" are none.
func (p *pageReader) named(d pageDeed, lo, hi int) clause {
	if c := p.onto(d, lo, hi); len(c.drafts) == 1 && !c.drafts[0].that && c.drafts[0].goal.GoalType == plan.BrowserNavigate {
		return c
	}
	return clause{}
}

// counted passes over "first 5", "5", "top", "five first".
func (p *pageReader) counted(d *pageDeed, i, hi int) int {
	from := i
	i = p.skip(i, hi, kFirst)
	if n, words := p.number(i, hi); words > 0 {
		d.limit, d.count = n, span{i, i + words}
		i = p.skip(i+words, hi, kFirst)
	} else if i > from {
		d.limit, d.count = 1, span{from, i} // "the first result"
		if m, ok := p.longest(i, hi, kResults, kHits, kLinks); ok && p.many(i, m.n) {
			d.limit, d.count = 0, span{} // "the top results"
		}
	}
	return i
}

// many reports whether a noun is in the plural, as far as a language marks it
// so that its singular is a phrase of its own kind.
func (p *pageReader) many(i, n int) bool {
	_, single := p.longest(i, i+n, kOne)
	return !single
}

// number is a count in figures or in words, and how many tokens it takes. It may
// be one that nobody can be told.
func (p *pageReader) number(i, hi int) (n, words int) {
	if i >= hi {
		return 0, 0
	}
	m, ok := p.longest(i, hi, kCount)
	said := p.fold(i)
	if ok {
		said, words = m.value, m.n
	} else {
		words = 1
	}
	if said == "" || said[0] != '-' && !digit(said[0]) {
		return 0, 0
	}
	n, err := strconv.Atoi(said)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n = maxRows + 1
	case err != nil:
		return 0, 0
	}
	return n, words
}

// found reads [lo,hi) as what is searched for, and where: "for cats on youtube".
func (p *pageReader) found(d pageDeed, lo, hi int) clause {
	at := lo
	if m, ok := p.longest(at, hi, kFor, kOf); ok {
		at += m.n
	}
	at = p.skip(at, hi, kSearchIng)
	if from, _, site := p.web.trailingSite(lo, hi); at >= hi || site && from == lo {
		return clause{} // "the first 5 videos on youtube": of what?
	}
	s := p.web.search(match{entry{kSearch, d.lang, ""}, at - lo}, span{lo, at}, at, hi)
	if s.outcome != good || s.needNav || s.named && d.site.n > 0 {
		return clause{}
	}
	if d.site.n > 0 && !p.words.catalogue.Searchable(d.site.id) {
		return clause{}
	}
	for i := range s.drafts {
		if d.site.n > 0 {
			s.drafts[i].goal.Platform = d.site.id
		}
		p.want(&s.drafts[i], d)
	}
	s.frame, s.verb, s.body, s.free = pageFrame, d.verb, at, true
	return s
}
