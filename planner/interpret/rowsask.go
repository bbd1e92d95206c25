package interpret

import (
	"fmt"
	"net/url"

	"errand/planner/plan"
)

// What of a page's rows has to be asked: how many, if so many can't be told, and
// which, if they are rows that no tool tells apart: "the top 5 headlines of bbc".

// rowsAsk is a command to tell rows that has a question.
func (p *pageReader) rowsAsk(d pageDeed, q question, body int) clause {
	return clause{frame: pageFrame, outcome: asks, ask: q, verb: d.verb, verbKind: kShot, lang: d.lang, body: body}
}

// tellable reports whether so many rows can be told.
func tellable(rows int) bool { return 1 <= rows && rows <= maxRows }

// uncountable asks how many rows are wanted where the count is none that can be
// told, and the words are sure to ask for rows: neither "search for 1000 results"
// nor "1984 videos" does.
func (p *pageReader) uncountable(d pageDeed, verb, noun match, rest span) (question, bool) {
	year := d.count.hi == d.count.lo+1 && d.limit >= 1900 && d.limit <= 2100
	_, about := p.longest(rest.lo+noun.n, rest.hi, kFor)
	switch {
	case d.count.hi == 0 || tellable(d.limit) || verb.n == 0,
		year && noun.kind == kHits,
		verb.kind == kSearch && !about:
		return question{}, false
	}
	return p.howMany(d), true
}

// howMany asks for a count that can be told.
func (p *pageReader) howMany(d pageDeed) question {
	q := question{key: "ask_count", arg: fmt.Sprint(maxRows), at: d.count}
	if d.limit > maxRows {
		q.choices = []plan.Choice{{Label: q.arg, Value: q.arg}}
	}
	return q
}

// lastRows asks about "the last 5 results", "the newest 3 links": rows are told in
// the order of the page, from the first.
func (p *pageReader) lastRows(lo, hi int) (question, bool) {
	which, ok := p.longest(lo, hi, kQuality, kVague)
	if _, first := p.longest(lo, hi, kFirst); !ok || first {
		return question{}, false
	}
	_, words := p.number(lo+which.n, hi)
	at := lo + which.n + words
	noun, rows := p.longest(at, hi, kResults, kLinks)
	return p.partial(span{lo, at + noun.n}), words > 0 && (rows || at >= hi)
}

// rowsAlone reads "show the first 2", "top 5" after a search, whose results they
// are. A number alone is one of rows after a verb of showing only: "show and tell
// 10" tells of nothing.
func (p *pageReader) rowsAlone(d pageDeed, lo, hi int) clause {
	at := p.skip(lo, hi, kFirst)
	_, words := p.number(at, hi)
	_, shows := p.longest(d.verb.lo, hi, kShow)
	if words == 0 || at == lo && at+words == hi && !shows {
		return clause{}
	}
	if !tellable(d.limit) {
		return p.rowsAsk(d, p.howMany(d), lo)
	}
	d.key = plan.ListResults
	c := p.onto(d, hi, hi)
	c.drafts[0].rows = span{lo, hi}
	return c
}

// rowsInVerb reads "read the headlines of bbc.com", where the rows stand in the
// phrase that tells them.
func (p *pageReader) rowsInVerb(d pageDeed, hi int) clause {
	for i := d.verb.lo; i < d.verb.hi; i++ {
		if _, ok := p.longest(i, d.verb.hi, kLinks); ok { // "get the urls of example.com"
			d.key = plan.ListLinks
			return p.named(d, d.verb.hi, hi)
		}
		if m, ok := p.longest(i, d.verb.hi, kHits); ok {
			if q, ok := p.rowsOfNothing(d, span{i, i + m.n}, kHits, hi); ok {
				return p.rowsAsk(d, q, i)
			}
		}
	}
	return clause{}
}

// rowsOfNothing asks what rows are meant that are said to be a page's, with
// nothing searched for: "the first 5 videos on youtube", "3 headlines of
// bbc.com". Links and text are what a page has.
func (p *pageReader) rowsOfNothing(d pageDeed, said span, noun kind, hi int) (question, bool) {
	page, ok := draft{}, false
	_, about := p.longest(said.hi, hi, kFor)
	of, isOf := p.longest(said.hi, hi, kOf, kOn)
	switch from, s, on := p.web.trailingSite(said.hi, hi); {
	case said.hi >= hi && d.site.n > 0:
		c := clause{}
		p.web.openEntity(&c, d.site, said, true)
		page, ok = c.drafts[0], true
	case on && from == said.hi && !s.fuzzy, isOf && !about && noun == kHits:
		page, ok = p.pageAt(said.hi+of.n, hi)
	}
	if !ok || page.that || len(page.spans) == 0 {
		return question{}, false
	}
	return p.whichRows(d.lang, said, d.limit, page.goal), true
}

// whichRows asks what of a page is meant by rows that it is said to have.
func (p *pageReader) whichRows(lang uint8, said span, limit int, page plan.Goal) question {
	host := page.Target
	if u, err := url.Parse(page.Target); err == nil {
		host = u.Host
	}
	links := fmt.Sprintf(p.words.message(lang, "links_said"), page.Target)
	if limit > 0 {
		links = fmt.Sprintf(p.words.message(lang, "first_links_said"), limit, page.Target)
	}
	return question{key: "ask_rows", arg: p.cut(said.lo, said.hi), at: said, choices: []plan.Choice{
		{Label: fmt.Sprintf(p.words.message(lang, "the_links"), host), Value: links},
		{Label: fmt.Sprintf(p.words.message(lang, "the_text"), host), Value: fmt.Sprintf(p.words.message(lang, "text_said"), page.Target)},
	}}
}
