package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"errand/app/core"
	"errand/planner/plan"
)

func (s *shell) interpretCommand() *cobra.Command {
	var jsonl, explain bool
	c := &cobra.Command{
		Use:   "interpret TEXT",
		Short: "Read words into goals, with the words that caused each slot",
		Long: `Interpret shows what Errand understands, and carries nothing out.

  --explain  shows every step: tokens and what they are known as, clauses,
             goals, and words that nothing took
  --jsonl    reads {id, text} a line, answers {id, status, goals, questions}`,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			if jsonl {
				if explain {
					return usagef("--explain shows one text, --jsonl reads many")
				}
				if len(args) > 0 {
					return usagef("--jsonl reads texts from standard input, not from arguments")
				}
				return s.lines(interpretLine(app))
			}
			if len(args) == 0 {
				return usagef("give a text").hint(`for example: errand interpret "search cats on youtube"`)
			}
			if err := core.Readable(words(args)); err != nil {
				return err
			}
			in := app.Interpret(words(args))
			s.code = exitOfPlanned(core.Planned{Interpretation: in})
			if in.Status == "ok" {
				s.code = Done
			}
			switch {
			case explain && s.json:
				s.document(explanation(app, words(args)))
			case explain:
				s.printExplanation(explanation(app, words(args)))
			case s.json:
				s.document(in)
			default:
				s.printInterpretation(in)
			}
			return nil
		},
	}
	s.jsonFlag(c)
	c.Flags().BoolVar(&explain, "explain", false, "show tokens, clauses, goals and leftovers")
	c.Flags().BoolVar(&jsonl, "jsonl", false, "read one JSON object a line, answer one a line")
	return c
}

func interpretLine(app *core.App) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var in struct {
			ID   json.RawMessage `json:"id"`
			Text string          `json:"text"`
		}
		if err := decode(line, &in); err != nil {
			return nil, err
		}
		read := app.Interpret(in.Text)
		return struct {
			ID        json.RawMessage `json:"id"`
			Status    any             `json:"status"`
			Goals     []plan.Goal     `json:"goals"`
			Questions []plan.Question `json:"questions"`
		}{in.ID, read.Status, read.Goals, read.Questions}, nil
	}
}

func (s *shell) printInterpretation(in core.Interpretation) {
	if in.Status != "ok" {
		if len(in.Questions) > 0 {
			s.print("%s", in.Status)
		} else {
			s.print("%s: %s", in.Status, in.Reason)
		}
		s.questions(in.Questions)
		return
	}
	for _, g := range in.Goals {
		rows := [][]string{{g.GoalID, string(g.GoalType), because(in, g.GoalID, "goal_type")}}
		for _, slot := range [][2]string{
			{"platform", g.Platform},
			{"query", g.Query},
			{"action", g.Action},
			{"object_type", g.ObjectType},
			{"target", g.Target},
		} {
			if slot[1] != "" {
				rows = append(rows, []string{"  " + slot[0], slot[1], because(in, g.GoalID, slot[0])})
			}
		}
		s.columns(rows)
	}
}

// because quotes the words that caused a slot.
func because(in core.Interpretation, goal, slot string) string {
	var quoted []string
	for _, e := range in.Evidence {
		if e.GoalID == goal && e.Slot == slot {
			quoted = append(quoted, "“"+e.Words+"”")
		}
	}
	return strings.Join(quoted, " ")
}
