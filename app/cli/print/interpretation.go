package print

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"errand/app/planning"
	"errand/planner/message"
)

// PrintInterpretation prints goals with the words that caused them.
func (s *Console) PrintInterpretation(in planning.Interpretation) {
	if in.Status != "ok" {
		if len(in.Questions) > 0 {
			s.Print("cli.interpretation_status", "status", in.Status)
		} else {
			s.Printf("%s: %s", message.New("cli.interpretation_status", "status", in.Status), in.Reason)
		}
		s.PrintQuestions(in.Questions)
		s.PrintSuggestions(in)
		return
	}
	switch {
	case in.Recipe != "":
		s.Columns([][]string{{"recipe", in.Recipe}})
	case in.Call != nil:
		rows := [][]string{{"tool", in.Call.Tool}}
		for _, name := range slices.Sorted(maps.Keys(in.Call.Args)) {
			rows = append(rows, []string{"  " + name, fmt.Sprint(in.Call.Args[name])})
		}
		s.Columns(rows)
	}
	for _, g := range in.Goals {
		rows := [][]string{{g.GoalID, string(g.GoalType), quoteCause(in, g.GoalID, "goal_type")}}
		for _, slot := range [][2]string{
			{"platform", g.Platform},
			{"query", g.Query},
			{"action", g.Action},
			{"object_type", g.ObjectType},
			{"target", g.Target},
			{"save_to", g.SaveTo},
			{"destination", g.Destination},
			{"value", g.Value},
		} {
			if slot[1] != "" {
				rows = append(rows, []string{"  " + slot[0], slot[1], quoteCause(in, g.GoalID, slot[0])})
			}
		}
		if g.Limit > 0 {
			rows = append(rows, []string{"  limit", strconv.Itoa(g.Limit), quoteCause(in, g.GoalID, "limit")})
		}
		s.Columns(rows)
	}
}

// quoteCause quotes the words that caused a slot.
func quoteCause(in planning.Interpretation, goal, slot string) string {
	var quoted []string
	for _, e := range in.Evidence {
		if e.GoalID == goal && e.Slot == slot {
			quoted = append(quoted, "“"+e.Words+"”")
		}
	}
	return strings.Join(quoted, " ")
}

// PrintReading prints how a text was read.
func (s *Console) PrintReading(x planning.Explained) {
	var rows [][]string
	for _, t := range x.Tokens {
		rows = append(rows, []string{"  " + t.Words, t.Shape, strings.Join(t.Phrases, " ")})
	}
	s.Print("cli.reading_words")
	s.Columns(rows)
	rows = nil
	for _, c := range x.Clauses {
		outcome := c.Outcome
		if c.Negated {
			outcome = s.Text("cli.clause_forbidden", "outcome", outcome)
		}
		rows = append(rows, []string{"  “" + c.Words + "”", c.Frame, outcome})
	}
	s.Print("cli.reading_clauses")
	s.Columns(rows)
	if len(x.Leftovers) > 0 {
		s.Print("cli.reading_left_over")
		for _, l := range x.Leftovers {
			s.Printf("  %s", l.Words)
		}
	}
	s.Print("cli.reading_result")
}
