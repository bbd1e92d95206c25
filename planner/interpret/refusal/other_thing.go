package refusal

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// FindsOtherThings reads a command that looks for what files can't be found by: "find duplicates in downloads".
func (p *Reader) FindsOtherThings(lo, hi int) (parse.Clause, bool) {
	at, _ := p.SkipLead(lo, hi)
	m, ok := p.Longest(at, hi, lexicon.OtherGoal)
	if !ok || m.Value != OtherThings {
		return parse.Clause{}, false
	}
	if _, deletes := p.Longest(at, hi, lexicon.DeleteVerbs...); deletes {
		return parse.Clause{}, false
	}
	if rest := at + m.Len; rest < p.TrimTail(lo, hi, true) {
		if _, ok := p.Longest(rest, hi, lexicon.In, lexicon.On, lexicon.Place); !ok {
			return parse.Clause{}, false
		}
	}
	return parse.Clause{Lang: m.Lang, UnknownAction: true}, true
}
