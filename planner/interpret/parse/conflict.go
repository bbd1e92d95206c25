package parse

import "errand/planner/plan"

// FindConflict finds two goals that undo each other, or a goal that is both wanted
// and forbidden.
func FindConflict(drafts, forbidden []Draft) *Conflict {
	for i, d := range drafts {
		for _, e := range forbidden {
			if d.Goal == e.Goal {
				return &Conflict{One: d, Other: e, Forbidden: true}
			}
		}
		for _, e := range drafts[i+1:] {
			if d.Goal.GoalType == plan.FileOperation && e.Goal.GoalType == plan.FileOperation &&
				d.Goal.Target == e.Goal.Target && d.Goal.Action != e.Goal.Action && isReversal(d.Goal, e.Goal) {
				return &Conflict{One: d, Other: e, Forbidden: false}
			}
		}
	}
	return nil
}

// isReversal reports whether one file goal undoes the other.
func isReversal(a, b plan.Goal) bool {
	return a.Action+b.Action == "createdelete" || a.Action+b.Action == "deletecreate"
}
