package planner

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

// TestPrepareAnswers answers every question that planning asks about goals, until
// none is left: each by each of its choices, or in free text.
func TestPrepareAnswers(t *testing.T) {
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
					r.Goals, r.Prepared = planner.Prepare(r.Goals, answers), true
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

func TestPrepareKeepsOtherGoals(t *testing.T) {
	set := numbered(needs{"g3": {"g1"}}, file("create", "file", "/a"), file("delete", "file", "/a"), ask("time"))
	got := planner.Prepare(set, map[string]string{"g1.or.g2": "delete", "g3.target": "battery", "x": "y"})
	if len(got.Goals) != 2 || got.Goals[0].Action != "delete" || got.Goals[1].Target != "time" || len(got.Deps) != 0 {
		t.Errorf("goals %+v, deps %v", got.Goals, got.Deps)
	}
	same := planner.Prepare(set, map[string]string{"g1.or.g2": "copy"})
	if len(same.Goals) != 3 || len(same.Deps) != 1 {
		t.Errorf("an answer that was not offered: %+v", same)
	}
}

// TestPrepareMergesOnce: Prepare gives the goals that merging, filling in the
// default platform and merging again give, and leaves nothing to merge.
func TestPrepareMergesOnce(t *testing.T) {
	c := catalogue.Default()
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 31))
		data := make([]byte, 2*(1+r.IntN(8)))
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		set := goalsFrom(data)
		set.Deps = nil
		want := Merge(set, c)
		want = plan.NewGoalSet(want.Goals, want.Deps)
		for i, g := range want.Goals {
			if g.GoalType == plan.BrowserSearch && g.Platform == "" {
				want.Goals[i].Platform = "google"
			}
		}
		want = Merge(want, c)
		got := planner.Prepare(set, nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("set %d (-staged +Prepare):\n%s", seed, diff)
		}
		if diff := cmp.Diff(got, Merge(got, c)); diff != "" {
			t.Fatalf("set %d can be merged further (-once +twice):\n%s", seed, diff)
		}
	}
}
