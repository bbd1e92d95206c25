package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// AskThere asks about a word in a query of c that points at a place spoken of before: "hotels
// there". No site knows which place that is. It is called for a search that no opened page
// precedes.
func (p *Reader) AskThere(c *parse.Clause) {
	if c.Frame != parse.SearchFrame || !c.FreeText {
		return
	}
	for _, d := range c.Drafts {
		q := d.Slot("query")
		if q.Lo >= q.Hi && c.IsTopic {
			q = d.Slot("target") // where a route ends
		}
		if q.Lo >= q.Hi || p.IsQuoted(q.Lo, q.Hi) || p.Hint(q.Lo).Certain || p.IsQuestionWord(q.Lo) {
			continue
		}
		if rest, ok := p.findThere(q); ok {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(rest)
			c.Ask.Description = q
			return
		}
	}
}

// findThere finds the words of a query that point at a place, from the conjunction before them
// on: "restaurants in rome [and hotels there]".
func (p *Reader) findThere(q parse.Span) (parse.Span, bool) {
	from := parse.Span{}
	for i := q.Lo; i < q.Hi; i++ {
		if idiom, ok := p.Longest(i, q.Hi, lexicon.ThereIdiom); ok {
			i += idiom.Len - 1
			continue
		}
		if there, ok := p.Longest(i, q.Hi, lexicon.ThatPlace); ok {
			if from.Lo >= from.Hi {
				from = parse.Span{Lo: i, Hi: i + there.Len}
			}
			return from, true
		}
		if _, ok := p.Longest(i, q.Hi, lexicon.And); ok && i > q.Lo {
			from = parse.Span{Lo: i, Hi: q.Hi}
		}
	}
	return parse.Span{}, false
}
