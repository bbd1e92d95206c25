package planning

import (
	"errand/planner/interpret"
	"errand/planner/plan"
)

// evidenceFor returns the words that caused each slot of the merged goals. Merging joins
// some of the interpreter's goals and renumbers them. A search that took its site from a
// visit has the visit's words for it.
func evidenceFor(read interpret.Reading, merged []plan.Goal) []interpret.Evidence {
	out := []interpret.Evidence{}
	used := map[string]bool{}
	for _, goal := range merged {
		platform := false
		for _, own := range read.Goals.Goals {
			if used[own.GoalID] || own.GoalType != goal.GoalType || own.Query != goal.Query || own.Target != goal.Target ||
				own.Action != goal.Action || own.ObjectType != goal.ObjectType || own.Limit != goal.Limit || own.SaveTo != goal.SaveTo ||
				own.Destination != goal.Destination || own.Value != goal.Value {
				continue
			}
			used[own.GoalID] = true
			for _, e := range read.Evidence {
				if e.GoalID == own.GoalID {
					platform = platform || e.Slot == "platform"
					e.GoalID = goal.GoalID
					out = append(out, e)
				}
			}
			break
		}
		if goal.GoalType != plan.BrowserSearch || platform {
			continue
		}
		for _, visit := range read.Goals.Goals {
			if visit.GoalType == plan.BrowserSearch || visit.Platform != goal.Platform && visit.Target != goal.Platform {
				continue
			}
			for _, e := range read.Evidence {
				if e.GoalID == visit.GoalID && e.Slot == "target" {
					e.GoalID, e.Slot = goal.GoalID, "platform"
					out = append(out, e)
				}
			}
		}
	}
	return out
}
