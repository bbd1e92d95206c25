package planner

import (
	"slices"

	"errand/planner/plan"
)

// orderMoves keeps the order of the words between a goal about files that exist and the
// goals before it on the same paths: "copy a.txt to documents and delete a.txt".
func (a *agenda) orderMoves() {
	if !slices.ContainsFunc(a.aims, aim.usesFiles) {
		return
	}
	at, below := map[string][]int{}, map[string][]int{} // earlier aims by their paths, and by the folders above those
	for i, m := range a.aims {
		for _, path := range m.paths() {
			a.follow(i, at[path])
			a.follow(i, below[path])
			for folder := parentOf(path); folder != ""; folder = parentOf(folder) {
				a.follow(i, at[folder])
			}
		}
		for _, path := range m.paths() {
			at[path] = append(at[path], i)
			for folder := parentOf(path); folder != ""; folder = parentOf(folder) {
				below[folder] = append(below[folder], i)
			}
		}
	}
}

// orderTrash keeps the order of the words between emptying the trash and deletions, which
// fill it.
func (a *agenda) orderTrash() {
	var deletions, emptied []int
	for i, m := range a.aims {
		switch {
		case m.goal.EmptiesTrash():
			for _, j := range deletions {
				a.addNeed(i, j)
			}
			emptied = append(emptied, i)
		case m.goal.GoalType == plan.FileOperation && m.action == "delete":
			for _, j := range emptied {
				a.addNeed(i, j)
			}
			deletions = append(deletions, i)
		}
	}
}

// follow makes an aim wait for those of the earlier ones that it may disturb, or be
// disturbed by.
func (a *agenda) follow(i int, earlier []int) {
	for _, j := range earlier {
		if a.aims[i].usesFiles() || a.aims[j].usesFiles() {
			a.addNeed(i, j)
		}
	}
}

// isMissing reports whether an aim is about something that is not there, by the latest fact
// about it, and that no earlier aim makes.
func (a *agenda) isMissing(m *aim) bool {
	if !m.usesFiles() {
		return false
	}
	for _, earlier := range a.aims {
		for _, path := range []string{earlier.path, earlier.destination} {
			if path != "" && earlier.action != "delete" && (path == m.path || isInside(m.path, path)) {
				return false
			}
		}
	}
	return slices.Contains(a.request.World.RecentFacts, "!exists:"+m.path)
}

// isMovedBefore reports whether an earlier aim moves something from the path of an aim, or
// puts something there.
func (a *agenda) isMovedBefore(m *aim) bool {
	covers := func(path string) bool { return path != "" && (path == m.path || isInside(m.path, path)) }
	return slices.ContainsFunc(a.aims, func(earlier aim) bool {
		moves := earlier.action == plan.MoveAction || earlier.action == plan.RenameAction
		return earlier.usesFiles() && (moves && covers(earlier.path) || covers(earlier.destination))
	})
}

// usesFiles reports whether an aim is about a file or folder that exists, beside deleting it.
func (m aim) usesFiles() bool {
	return m.goal.GoalType == plan.FileOperation && slices.Contains(plan.FileActions(), m.action)
}

// paths are the paths that a file aim reads or changes.
func (m aim) paths() []string {
	var out []string
	for _, path := range []string{m.path, m.destination} {
		if path != "" && m.goal.GoalType == plan.FileOperation && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}
