package verify

import (
	"slices"

	"errand/planner/plan"
)

// checkCanonical checks that the plan is in its canonical form: no dependency follows from
// others, and the action with the smallest tool name comes first if several could be next.
func (c *checker) checkCanonical(actions []plan.Action) {
	place := map[string]int{}
	predecessors := make([][]bool, len(actions)) // all direct and indirect predecessors
	for i, a := range actions {
		place[a.ActionID] = i
		predecessors[i] = make([]bool, i)
		for _, d := range a.DependsOn {
			for j, before := range predecessors[place[d]] {
				predecessors[i][j] = predecessors[i][j] || before
			}
		}
		last := -1
		for _, d := range a.DependsOn {
			switch j := place[d]; {
			case j <= last:
				c.addViolation("canonical", "%s lists %q twice or out of order", a.ActionID, d)
			case predecessors[i][j]:
				c.addViolation("canonical", "%s depends on %q by another dependency already", a.ActionID, d)
			default:
				last = j
			}
		}
		for _, d := range a.DependsOn {
			predecessors[i][place[d]] = true
		}
	}
	for i, a := range actions {
		for j := i + 1; j < len(actions); j++ {
			ready := !slices.ContainsFunc(actions[j].DependsOn, func(d string) bool { return place[d] >= i })
			if ready && actions[j].Tool < a.Tool {
				c.addViolation("canonical", "%s (%s) could come before %s (%s)", actions[j].ActionID, actions[j].Tool, a.ActionID, a.Tool)
			}
		}
	}
}
