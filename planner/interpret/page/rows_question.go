package page

import (
	"net/url"
	"strconv"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// askRows is a command to list rows that has a question.
func (p *Reader) askRows(d action, q parse.Question, body int) parse.Clause {
	return parse.Clause{Frame: parse.PageFrame, Outcome: parse.Asks, Ask: q, Verb: d.verb, VerbKind: lexicon.Screenshot, Lang: d.lang, Body: body}
}

// isCountInRange reports whether a goal may list so many rows.
func isCountInRange(rows int) bool { return 1 <= rows && rows <= maxRows }

// askCount asks for a count if the given one is out of range and the words surely
// ask for rows. "Search for 1000 results" and "1984 videos" do not.
func (p *Reader) askCount(d action, verb, noun lexicon.Match, rest parse.Span) (parse.Question, bool) {
	year := d.count.Hi == d.count.Lo+1 && d.limit >= 1900 && d.limit <= 2100
	_, about := p.Longest(rest.Lo+noun.Len, rest.Hi, lexicon.For)
	switch {
	case d.count.Hi == 0 || isCountInRange(d.limit) || verb.Len == 0,
		year && noun.Kind == lexicon.CountedResults,
		verb.Kind == lexicon.Search && !about:
		return parse.Question{}, false
	}
	return p.countQuestion(d), true
}

// countQuestion asks for a count in range.
func (p *Reader) countQuestion(d action) parse.Question {
	q := parse.Question{Code: "question.count", Limit: maxRows, At: d.count}
	if d.limit > maxRows {
		most := strconv.Itoa(maxRows)
		q.Choices = []plan.Choice{{Label: message.Verbatim(most), Value: most}}
	}
	return q
}

// askLastRows asks about "the last 5 results", "the newest 3 links". Rows are listed
// from the first.
func (p *Reader) askLastRows(lo, hi int) (parse.Question, bool) {
	which, ok := p.Longest(lo, hi, lexicon.Quality, lexicon.Vague)
	if _, first := p.Longest(lo, hi, lexicon.First); !ok || first {
		return parse.Question{}, false
	}
	_, words := p.Number(lo+which.Len, hi)
	at := lo + which.Len + words
	noun, rows := p.Longest(at, hi, lexicon.Results, lexicon.Links)
	return p.AskUnclear(parse.Span{Lo: lo, Hi: at + noun.Len}), words > 0 && (rows || at >= hi)
}

// readCountOnly reads "show the first 2", "top 5" after a search. A number alone
// counts rows only after a verb of showing; "show and tell 10" does not count.
func (p *Reader) readCountOnly(d action, lo, hi int) parse.Clause {
	at := p.Skip(lo, hi, lexicon.First)
	_, words := p.Number(at, hi)
	_, shows := p.Longest(d.verb.Lo, hi, lexicon.Show)
	if words == 0 || at == lo && at+words == hi && !shows {
		return parse.Clause{}
	}
	if !isCountInRange(d.limit) {
		return p.askRows(d, p.countQuestion(d), lo)
	}
	d.key = plan.ListResults
	c := p.onPages(d, hi, hi)
	c.Drafts[0].RowWords = parse.Span{Lo: lo, Hi: hi}
	return c
}

// readRowVerb reads "read the headlines of bbc.com", where the verb phrase names the
// rows.
func (p *Reader) readRowVerb(d action, hi int) parse.Clause {
	for i := d.verb.Lo; i < d.verb.Hi; i++ {
		if _, ok := p.Longest(i, d.verb.Hi, lexicon.Links); ok { // "get the urls of example.com"
			d.key = plan.ListLinks
			return p.onNamedPage(d, d.verb.Hi, hi)
		}
		if m, ok := p.Longest(i, d.verb.Hi, lexicon.CountedResults); ok {
			if q, ok := p.askWhichRows(d, parse.Span{Lo: i, Hi: i + m.Len}, lexicon.CountedResults, hi); ok {
				return p.askRows(d, q, i)
			}
		}
	}
	return parse.Clause{}
}

// askWhichRows asks which rows of a page are meant if nothing was searched for: "the
// first 5 videos on youtube", "3 headlines of bbc.com". The choices are the links
// and the text of the page.
func (p *Reader) askWhichRows(d action, words parse.Span, noun lexicon.Kind, hi int) (parse.Question, bool) {
	page, ok := parse.Draft{}, false
	_, about := p.Longest(words.Hi, hi, lexicon.For)
	of, isOf := p.Longest(words.Hi, hi, lexicon.Of, lexicon.On)
	switch from, s, on := p.Web.TrailingSite(words.Hi, hi); {
	case words.Hi >= hi && d.site.Len > 0:
		c := parse.Clause{}
		p.Web.OpenEntity(&c, d.site, words, true)
		page, ok = c.Drafts[0], true
	case on && from == words.Hi && !s.Fuzzy, isOf && !about && noun == lexicon.CountedResults:
		page, ok = p.pageAt(words.Hi+of.Len, hi)
	}
	if !ok || page.AboutLastPage || len(page.Spans) == 0 {
		return parse.Question{}, false
	}
	return p.rowsQuestion(d.lang, words, d.limit, page.Goal), true
}

// rowsQuestion asks whether the links or the text of a page are meant.
func (p *Reader) rowsQuestion(lang uint8, words parse.Span, limit int, page plan.Goal) parse.Question {
	host := page.Target
	if u, err := url.Parse(page.Target); err == nil {
		host = u.Host
	}
	links := p.Words.Answer(lang, "links", "{page}", page.Target)
	if limit > 0 {
		links = p.Words.Answer(lang, "first_links", "{count}", strconv.Itoa(limit), "{page}", page.Target)
	}
	return parse.Question{Code: "question.rows", Words: p.Cut(words.Lo, words.Hi), At: words, Choices: []plan.Choice{
		{Label: message.New("question.choice_links", "host", host), Value: links},
		{Label: message.New("question.choice_text", "host", host), Value: p.Words.Answer(lang, "text", "{page}", page.Target)},
	}}
}
