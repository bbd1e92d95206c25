package cli

import (
	"strings"

	"errand/app/core"
	"errand/planner/interpret"
)

// explained is how words were read, from the first step to the last.
type explained struct {
	Interpretation core.Interpretation    `json:"interpretation"`
	Tokens         []interpret.TokenView  `json:"tokens"`
	Clauses        []interpret.ClauseView `json:"clauses"`
	Leftovers      []interpret.Stretch    `json:"leftovers"`
}

func explanation(app *core.App, text string) explained {
	x := app.Explain(text)
	return explained{app.Interpret(text), x.Tokens, x.Clauses, x.Leftovers}
}

func (s *shell) printExplanation(x explained) {
	rows := [][]string{{"token", "shape", "known as"}}
	for _, t := range x.Tokens {
		rows = append(rows, []string{"  " + t.Words, t.Shape, strings.Join(t.Phrases, ", ")})
	}
	rows = append(rows, []string{"clause", "frame", "outcome"})
	for _, c := range x.Clauses {
		outcome := c.Outcome
		if c.Negated {
			outcome += ", forbidden"
		}
		rows = append(rows, []string{"  " + c.Words, c.Frame, outcome})
	}
	s.columns(rows)
	s.print("goals")
	s.printInterpretation(x.Interpretation)
	if len(x.Leftovers) > 0 {
		var words []string
		for _, l := range x.Leftovers {
			words = append(words, "“"+l.Words+"”")
		}
		s.print("left over: %s", strings.Join(words, " "))
	}
}
