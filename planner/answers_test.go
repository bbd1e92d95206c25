package planner

import (
	"errors"
	"testing"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

// TestAnswered answers every question that planning asks about goals, until
// none is left: each by each of its choices, or in free text.
func TestAnswered(t *testing.T) {
	free := map[string]string{"g1.target": "notepad", "g2.target": "time"}
	tests := []struct {
		name string
		r    Request
		want []string // ids in the order in which they are asked
	}{
		{"no app", request(launch("")), []string{"g1.target"}},
		{"an app and a question", request(launch(""), ask("")), []string{"g1.target", "g2.target"}},
		{"no action", request(file("", "folder", "/a")), []string{"g1.action"}},
		{"no type", request(file("create", "", "/srv/v1.2")), []string{"g1.type"}},
		{"neither", request(file("", "", "/srv/v1.2")), []string{"g1.action", "g1.type"}},
		{"nothing at all", request(file("", "", "")), []string{"g1.target", "g1.action", "g1.type"}},
		{"both ways", request(file("create", "file", "/a.txt"), file("delete", "file", "/a.txt")), []string{"g1.or.g2"}},
		{"both ways, and no app", request(launch(""), file("create", "file", "/a.txt"), file("rm", "file", "/a.txt/")), []string{"g1.target", "g2.or.g3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for pick := range 2 { // the first choice of each, then the last
				answers, asked := map[string]string{}, []string{}
				for range 10 {
					r := tt.r
					r.Goals = Answered(Merge(r.Goals, catalogue.Default()), catalogue.Default(), answers)
					_, err := New(catalogue.Default()).Plan(r)
					var ambiguous *plan.AmbiguousError
					if !errors.As(err, &ambiguous) {
						break
					}
					for _, q := range ambiguous.Questions {
						asked = append(asked, q.ID)
						answers[q.ID] = free[q.ID]
						if n := len(q.Choices); n > 0 {
							answers[q.ID] = q.Choices[pick*(n-1)].Value
						}
					}
				}
				if len(asked) != len(tt.want) {
					t.Fatalf("asked %q, want %q", asked, tt.want)
				}
				for i, id := range tt.want {
					if asked[i] != id {
						t.Errorf("asked %q, want %q", asked, tt.want)
					}
				}
			}
		})
	}
}

func TestAnsweredKeepsTheRest(t *testing.T) {
	set := numbered(needs{"g3": {"g1"}}, file("create", "file", "/a"), file("delete", "file", "/a"), ask("time"))
	got := Answered(set, catalogue.Default(), map[string]string{"g1.or.g2": "delete", "g3.target": "battery", "x": "y"})
	if len(got.Goals) != 2 || got.Goals[0].Action != "delete" || got.Goals[1].Target != "time" || len(got.Deps) != 0 {
		t.Errorf("goals %+v, deps %v", got.Goals, got.Deps)
	}
	same := Answered(set, catalogue.Default(), map[string]string{"g1.or.g2": "copy"})
	if len(same.Goals) != 3 || len(same.Deps) != 1 {
		t.Errorf("an answer that was not offered: %+v", same)
	}
}
