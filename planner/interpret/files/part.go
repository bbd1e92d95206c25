package files

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// askPart asks about a command to show only some lines of a file: "show me the first 5 lines of
// a.txt". No goal can contain them, and a search would tell a site the name.
func (p *actReader) askPart(lo, hi int) (parse.Clause, bool) {
	verb, ok := p.Longest(lo, hi, lexicon.FileAction, lexicon.List, lexicon.ListCounted, lexicon.ReadOut)
	if !ok || verb.Kind == lexicon.FileAction && !slices.Contains([]string{plan.ReadAction, plan.ListAction, plan.OpenAction, plan.FindAction}, verb.Value) {
		return parse.Clause{}, false
	}
	hi = p.TrimPoliteEnd(lo, hi)
	lines := false
	for i := lo + verb.Len; i < hi; i++ {
		if p.Tokens[i].Shape != lexicon.FileShape {
			_, is := p.Longest(i, hi, lexicon.PartNoun)
			lines = lines || is
			continue
		}
		from := i
		if _, noun := p.FindEnding(lo+verb.Len, i, lexicon.File); noun {
			from--
		}
		things := p.operands(from, hi, parse.Location{})
		if !lines || len(things) != 1 || from == lo+verb.Len {
			return parse.Clause{}, false
		}
		return p.askLines(verb, lo, from), true
	}
	if end := parse.LinesEnd(p.Text, lo+verb.Len, hi); end > 0 && end < hi { // "the first two lines of chapter 1"
		return p.askLines(verb, lo, end), true
	}
	return parse.Clause{}, false
}

// askLines asks about the words between a verb at token lo and token end, which want some lines only.
func (p *actReader) askLines(verb lexicon.Match, lo, end int) parse.Clause {
	at := lo + verb.Len
	return parse.Clause{
		Frame: parse.ActFrame, Outcome: parse.Asks, Verb: parse.Span{Lo: lo, Hi: at}, Lang: verb.Lang, Body: at,
		Ask: p.AskUnclear(parse.Span{Lo: at, Hi: end}),
	}
}
