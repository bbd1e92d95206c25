// Package calculation reads commands that are calculations. Their words are those of package calc.
package calculation

import (
	"strings"

	"errand/planner/calc"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

const digits = "0123456789"

// Read reads tokens [lo,hi) as a calculation with digits: one command beside others. Without digits
// only [ReadWhole] looks for one.
func Read(p *parse.Text, lo, hi int) parse.Clause {
	if lo >= hi || !strings.ContainsAny(p.Source[p.Tokens[lo].Start:p.Tokens[hi-1].End], digits) {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	first, _ := p.SkipLead(lo, hi)
	_, asks := p.Longest(first, hi, lexicon.Interrogative, lexicon.Ask, lexicon.Request, lexicon.OtherGoal, lexicon.TopicVerb)
	if lo > 0 && first < hi && !asks && p.Tokens[first].Shape == lexicon.WordShape && !lexicon.IsDigit(p.Source[p.Tokens[first].Start]) {
		return parse.Clause{Lang: lexicon.AnyLang} // «таймер на 10 минут и один на 20»
	}
	return read(p, lo, hi)
}

// ReadWhole reads a whole text as a calculation, whose signs may look like ends of clauses. It does so
// only if withDigits says whether the text has digits: without them, a calculation is looked for only in
// a text with no other meaning.
func ReadWhole(p *parse.Text, withDigits bool) (parse.Clause, bool) {
	if strings.ContainsAny(p.Source, digits) != withDigits {
		return parse.Clause{}, false
	}
	c := read(p, 0, len(p.Tokens))
	return c, c.Outcome == parse.Understood
}

// read tries the words with and without the politeness around them.
func read(p *parse.Text, lo, hi int) parse.Clause {
	c := parse.Clause{Lo: lo, Hi: hi, Lang: lexicon.AnyLang}
	first := p.SkipMarks(lo, hi)
	if first < hi && first > lo && p.Fold(first-1) == "-" {
		first-- // a negative number
	}
	command, _ := p.SkipLead(lo, hi)
	for _, from := range []int{first, command} {
		for _, end := range []int{hi, p.TrimTail(from, hi, true)} {
			if from >= end {
				continue
			}
			found, ok := calc.Read(p.Source[p.Tokens[from].Start:p.Tokens[end-1].End])
			if !ok {
				continue
			}
			c.Outcome, c.Frame, c.Body = parse.Understood, parse.SystemFrame, from
			c.Verb = parse.Span{Lo: from, Hi: from + 1}
			c.Drafts = []parse.Draft{{
				Goal:  plan.Goal{GoalType: plan.SystemQuery, Action: plan.CalculateAction, ObjectType: plan.ExpressionType, Target: "calculation", Value: found.String()},
				Spans: []parse.SlotSpan{{Slot: "goal_type", Span: c.Verb}, {Slot: "value", Span: parse.Span{Lo: from, Hi: end}}},
			}}
			return c
		}
	}
	return c
}
