package planner

import (
	"math"

	"errand/planner/plan"
	"errand/planner/solve"
)

// achieversByKey lists the tools by the keys of the open aims.
func (a *agenda) achieversByKey() map[string][]*plan.Capability {
	out := map[string][]*plan.Capability{}
	for _, m := range a.aims {
		for _, key := range m.keys() {
			out[key] = nil
		}
	}
	for _, c := range a.tools {
		for _, key := range c.CanAchieve {
			if list, cached := out[key]; cached {
				out[key] = append(list, c)
			}
		}
	}
	return out
}

// suppliers are the tools that may cause what the operators require, or what those
// tools require in turn. It skips the other tools early, because there may be
// hundreds.
func (a *agenda) suppliers(operators []solve.Operator) []solve.Operator {
	var open []string
	for _, o := range operators {
		open = append(open, o.Requires...)
	}
	if len(open) == 0 {
		return nil
	}
	makers := map[string][]*plan.Capability{}
	for _, c := range a.tools {
		if deletesByName(plan.Action{Tool: c.Name}) {
			continue // nothing is deleted on the way to something else
		}
		for _, e := range c.Effects {
			makers[e] = append(makers[e], c)
		}
	}
	var out []solve.Operator
	taken := map[*plan.Capability]bool{}
	for i := 0; i < len(open); i++ {
		for _, c := range keepPreferred(makers[open[i]]) {
			if !taken[c] {
				taken[c] = true
				out = append(out, solve.Operator{Tool: c, Goal: solve.Bare, Place: math.MaxInt, Requires: c.Requires, Effects: c.Effects})
				open = append(open, c.Requires...)
			}
		}
		makers[open[i]] = nil
	}
	return out
}
