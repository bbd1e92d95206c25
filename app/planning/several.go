package planning

import (
	"slices"

	"errand/host/tool"
	"errand/planner"
	"errand/planner/plan"
)

// FlagSeveral marks the actions that change existing things, if a plan that was not made from words
// has two or more of them: policy asks about them as it does about a goal in words.
func FlagSeveral(c *plan.Content, specs []tool.Spec) {
	var changes []int
	for i, a := range c.Actions {
		at := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == a.Tool })
		if at >= 0 && slices.ContainsFunc(specs[at].CanAchieve, planner.ChangesExisting) {
			changes = append(changes, i)
		}
	}
	if len(changes) < 2 {
		return
	}
	for _, i := range changes {
		c.Actions[i].Several = true
	}
}
