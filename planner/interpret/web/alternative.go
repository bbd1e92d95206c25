package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// otherCommand asks which command is meant if an "or" in a query is followed by a
// command: "search cats on youtube or open notepad". A query that is a question goes
// to its end: "how to run or open a jar".
func (p *Reader) otherCommand(verb parse.Span, lo, hi int) (parse.Question, bool) {
	for i := lo; i < hi && !p.choosing; i++ {
		if p.IsQuestionWord(i) {
			break
		}
		or, ok := p.Longest(i, hi, lexicon.Or)
		if !ok || i == lo {
			continue
		}
		at, _ := p.SkipLead(i+or.Len, hi)
		if _, ok := p.Longest(at, hi, lexicon.Search, lexicon.SearchIn, lexicon.Open, lexicon.Go, lexicon.Create, lexicon.Delete); !ok {
			continue
		}
		p.choosing = true
		other := p.Commands.Command(at, hi, false)
		p.choosing = false
		if other.Outcome == parse.Understood && !other.Fuzzy {
			return p.AskChoice(parse.Span{Lo: verb.Lo, Hi: i}, parse.Span{Lo: at, Hi: p.TrimTail(at, hi, true)}), true
		}
		break
	}
	return parse.Question{}, false
}
