package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// AskThere asks about a word in a query of c that points at a place spoken of before: "hotels
// there". No site knows which place that is. It is called for a search that no opened page
// precedes. A place that the search before names is offered.
func AskThere(p *Reader, c *parse.Clause, before []parse.Draft) {
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
		after := q
		if noun, ok := p.Longest(q.Lo, q.Hi, lexicon.TopicNoun); ok { // «че там с погодой»
			after.Lo += noun.Len
		}
		if rest, ok := findThere(p.Text, after); ok {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(rest)
			c.Ask.Description = q
			if place := placeOf(p.Text, before); place != "" && p.IsPhrase(rest.Lo, rest.Hi, lexicon.ThatPlace) {
				c.Ask.Choices = []plan.Choice{{Label: message.Verbatim(place), Value: place}}
			}
			return
		}
	}
}

// placeOf is the one place at the end of the last search of drafts, in its words: "in rome". Without
// one it is empty.
func placeOf(p *parse.Text, drafts []parse.Draft) string {
	if len(drafts) == 0 {
		return ""
	}
	q := drafts[len(drafts)-1].Slot("query")
	if when, ok := p.FindEnding(q.Lo+1, q.Hi, lexicon.TopicWhen); ok {
		q.Hi -= when.Len
	}
	place := parse.Span{}
	for i := q.Lo; i < q.Hi; i++ {
		if in, ok := p.Longest(i, q.Hi, lexicon.In); ok && i+in.Len < q.Hi {
			if place.Hi > 0 {
				return ""
			}
			place = parse.Span{Lo: i, Hi: q.Hi}
		}
		if _, several := p.Longest(i, q.Hi, lexicon.And, lexicon.Or); several {
			return ""
		}
	}
	return p.Cut(place.Lo, place.Hi)
}

// findThere finds the words of a query that point at a place, from the conjunction before them
// on: "restaurants in rome [and hotels there]".
func findThere(p *parse.Text, q parse.Span) (parse.Span, bool) {
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
