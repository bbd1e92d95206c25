package planner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"errand/planner/plan"
)

// TestCriticalViolations: the five bugs that the GoalPlanner contract, section
// 10, calls critical can't be had: neither from the planner, over problems of
// every family, nor by hand.
func TestCriticalViolations(t *testing.T) {
	action := func(id string, needs ...string) plan.Action {
		return plan.Action{ActionID: id, Tool: "t", DependsOn: needs}
	}
	byHand := func(achievedBy string, actions ...plan.Action) error {
		_, err := plan.New(plan.Content{Origin: plan.UserGoal, Actions: actions, GoalAchievedBy: achievedBy})
		return err
	}
	type answered struct {
		p plan.Problem
		r plan.Result
		q plan.Plan
	}
	var all []answered
	for _, draw := range drawn {
		for seed := range uint64(10) {
			d := &drawing{Rand: rand.New(rand.NewPCG(seed, 17))}
			draw(d)
			r := mustSolve(t, d.Problem)
			q, _ := r.Plan()
			all = append(all, answered{d.Problem, r, q})
		}
	}
	answers := func(check func(p plan.Problem, r plan.Result, q plan.Plan)) {
		for _, a := range all {
			check(a.p, a.r, a.q)
		}
	}
	t.Run("plan with 0 actions and status success", func(t *testing.T) {
		if byHand("a1") == nil {
			t.Error("made by hand")
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a success without a plan was made by hand")
				}
			}()
			plan.NewSuccess(plan.Plan{}, plan.Proof{})
		}()
		answers(func(p plan.Problem, r plan.Result, q plan.Plan) {
			if planned := r.Status() == plan.Success || r.Status() == plan.Partial; planned != (q.Len() > 0) {
				t.Errorf("%s with %d actions: %+v", r.Status(), q.Len(), p)
			}
		})
	})
	t.Run("mutating WorldState", func(t *testing.T) {
		answers(func(p plan.Problem, _ plan.Result, _ plan.Plan) {
			before := marshal(t, p)
			mustSolve(t, p)
			if after := marshal(t, p); after != before {
				t.Errorf("%s became %s", before, after)
			}
		})
	})
	t.Run("returning tool not in capabilities", func(t *testing.T) {
		answers(func(p plan.Problem, _ plan.Result, q plan.Plan) {
			for _, name := range tools(q) { // taken away, it has to go from the plan
				fewer := p
				fewer.Capabilities = slices.DeleteFunc(slices.Clone(p.Capabilities), func(c plan.Capability) bool { return c.Name == name })
				if other, _ := mustSolve(t, fewer).Plan(); slices.Contains(tools(other), name) {
					t.Errorf("%q is used and not there: %+v", name, fewer)
				}
			}
		})
	})
	t.Run("goal_achieved_by not in actions", func(t *testing.T) {
		if byHand("a2", action("a1")) == nil || byHand("", action("a1")) == nil {
			t.Error("made by hand")
		}
		answers(func(_ plan.Problem, _ plan.Result, q plan.Plan) {
			if q.Len() > 0 && !slices.ContainsFunc(q.Actions(), func(a plan.Action) bool { return a.ActionID == q.GoalAchievedBy() }) {
				t.Errorf("achieved by %q", q.GoalAchievedBy())
			}
		})
	})
	t.Run("circular dependencies in plan", func(t *testing.T) {
		if byHand("a1", action("a1", "a1")) == nil || byHand("a1", action("a1", "a3"), action("a2", "a1"), action("a3", "a2")) == nil {
			t.Error("made by hand")
		}
		answers(func(_ plan.Problem, _ plan.Result, q plan.Plan) {
			for i, a := range q.Actions() {
				for _, d := range a.DependsOn {
					if !slices.ContainsFunc(q.Actions()[:i], func(b plan.Action) bool { return b.ActionID == d }) {
						t.Errorf("%s depends on %s, which is not before it", a.ActionID, d)
					}
				}
			}
		})
	})
}

// TestRisks: which flags a plan carries, and from when on.
func TestRisks(t *testing.T) {
	goals := func(n int) []plan.Goal {
		var out []plan.Goal
		for i := range n {
			out = append(out, file("create", "folder", fmt.Sprintf("/srv/%d", i)))
		}
		return out
	}
	spoken := func(confidence float64) Request {
		r := request(ask("time"))
		r.Voice = &plan.Voice{FileID: "v", Transcript: "time", Confidence: confidence}
		return r
	}
	tests := []struct {
		name string
		r    Request
		want []plan.RiskKind
	}{
		{"four items", request(goals(4)...), nil},
		{"five items", request(goals(5)...), []plan.RiskKind{plan.Bulk}},
		{"six goals, four of them the same", request(append(goals(2), goals(2)...)...), nil},
		{"a file is deleted", request(file("delete", "file", "/srv/a")), []plan.RiskKind{plan.Destructive}},
		{"five files are deleted", request(func() []plan.Goal {
			out := goals(5)
			for i := range out {
				out[i].Action = "rm"
			}
			return out
		}()...), []plan.RiskKind{plan.Bulk, plan.Destructive}},
		{"a path that is not said", request(ask("time"), file("create", "file", "notes.txt")), []plan.RiskKind{plan.MissingRequired}},
		{"heard badly", spoken(0.69), []plan.RiskKind{plan.Ambiguous}},
		{"heard well", spoken(0.70), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := planFor(t, tt.r).Plan()
			var got []plan.RiskKind
			for _, r := range p.Content().Risks {
				got = append(got, r.Kind)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("risks %v, want %v", got, tt.want)
			}
			if asked := len(p.Content().NeedsClarification) > 0; asked != slices.Contains(tt.want, plan.Ambiguous) {
				t.Errorf("needs_clarification: %v", asked)
			}
		})
	}
}
