package verify

import (
	"errors"
	"testing"

	"errand/planner/message"
	"errand/planner/plan"
)

func TestSteady(t *testing.T) {
	tests := []struct {
		name  string
		solve Solver
		want  string // the rule broken
	}{
		{"one answer", func(plan.Problem) (plan.Result, error) { return plan.NewSatisfied(message.Message{}), nil }, ""},
		{"one error", func(plan.Problem) (plan.Result, error) { return plan.Result{}, errors.New("no") }, ""},
		{"the first tool decides", func(p plan.Problem) (plan.Result, error) {
			return plan.NewSatisfied(message.Verbatim(p.Capabilities[0].Name)), nil
		}, "steady"},
		{"the number of tools decides", func(p plan.Problem) (plan.Result, error) {
			return plan.NewSatisfied(message.Verbatim(string(rune('0' + len(p.Capabilities))))), nil
		}, "steady"},
		{"the order of effects decides", func(p plan.Problem) (plan.Result, error) {
			for _, c := range p.Capabilities {
				if c.Name == "two" {
					return plan.NewSatisfied(message.Verbatim(c.Effects[0])), nil
				}
			}
			return plan.Result{}, nil
		}, "steady"},
		{"an error at times", func(p plan.Problem) (plan.Result, error) {
			if p.World[0] == "y" {
				return plan.Result{}, errors.New("no")
			}
			return plan.NewSatisfied(message.Message{}), nil
		}, "steady"},
		{"the world is changed", func(p plan.Problem) (plan.Result, error) {
			p.World[0] = "x"
			p.World[1] = "x"
			return plan.NewSatisfied(message.Message{}), nil
		}, "world"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := plan.Problem{
				World: []string{"x", "y"}, Goal: []string{"a"},
				Capabilities: []plan.Capability{tool("one", nil, []string{"a"}), tool("two", []string{"x", "y"}, []string{"b", "c"})},
			}
			faults := CheckStable(p, tt.solve)
			if tt.want == "" && len(faults) > 0 {
				t.Errorf("faults = %v, want none", faults)
			}
			for _, f := range faults {
				if f.Rule != tt.want {
					t.Errorf("fault %v, want only %q", f, tt.want)
				}
			}
			if tt.want != "" && len(faults) == 0 {
				t.Errorf("no fault, want %q", tt.want)
			}
		})
	}
}
