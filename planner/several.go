package planner

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// changing are the actions that change something that exists.
var changing = []string{"delete", plan.MoveAction, plan.CopyAction, plan.RenameAction, plan.AppendAction}

// ChangesExisting reports whether the calls of a tool that achieves a goal key, such as move_file,
// change something that exists.
func ChangesExisting(key string) bool {
	action, _, _ := strings.Cut(key, "_")
	return slices.Contains(changing, action)
}

// changesExisting reports whether an aim moves, copies, deletes or changes a file or folder.
func (m aim) changesExisting() bool {
	return m.goal.GoalType == plan.FileOperation && slices.Contains(changing, m.action)
}

// changesSeveral reports whether the goals change two or more existing things, or name them
// by what they have in common. Policy then asks before each change.
func (a *agenda) changesSeveral() bool {
	n := 0
	for _, m := range a.aims {
		if m.changesExisting() && !m.isTrue {
			n++
		}
	}
	return n > 1 || a.request.Several
}
