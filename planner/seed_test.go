package planner

import (
	"slices"
	"testing"

	"errand/planner/plan"
)

// TestSeedPlans are acceptance lines of the GoalPlanner contract about which
// plan is chosen.
func TestSeedPlans(t *testing.T) {
	fetch := func(name string, requires ...string) plan.Capability {
		return plan.Capability{Name: name, CanAchieve: []string{"system_query"}, Requires: requires, Params: []string{"target"}, ReadOnly: true}
	}
	login := plan.Capability{Name: "login", Effects: []string{"logged_in"}}
	for _, tt := range []struct {
		name  string
		tools []plan.Capability
		want  string
	}{
		{"S4-H12 one step before two", []plan.Capability{login, fetch("a.ask", "logged_in"), fetch("z.ask")}, "z.ask"},
		{"S4-H12 of equal ones the first by name", []plan.Capability{fetch("c.ask"), fetch("b.ask"), fetch("d.ask")}, "b.ask"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				p, _ := planFor(t, withTools(request(ask("time")), tt.tools...)).Plan()
				if p.Len() != 1 || p.Actions()[0].Tool != tt.want {
					t.Errorf("planned %+v, want %s alone", p.Actions(), tt.want)
				}
				slices.Reverse(tt.tools)
			}
		})
	}
}
