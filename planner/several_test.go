package planner

import (
	"testing"

	"errand/planner/plan"
)

// TestSeveral marks the actions of goals that change two or more existing things.
func TestSeveral(t *testing.T) {
	move := func(path string) plan.Goal {
		return plan.Goal{GoalType: plan.FileOperation, Action: "move", ObjectType: "file", Target: path, Destination: "/h/docs/"}
	}
	for _, tt := range []struct {
		name    string
		goals   []plan.Goal
		pattern bool
		want    int // marked actions
	}{
		{"one", []plan.Goal{move("/h/a")}, false, 0},
		{"two", []plan.Goal{move("/h/a"), move("/h/b")}, false, 2},
		{"the same twice", []plan.Goal{move("/h/a"), move("/h/a")}, false, 0},
		{"one and a new file", []plan.Goal{file("create", "folder", "/h/docs"), move("/h/a")}, false, 0},
		{"two and a new file", []plan.Goal{file("create", "folder", "/h/docs"), move("/h/a"), file("delete", "file", "/h/b")}, false, 2},
		{"one and a file that is read", []plan.Goal{file("read", "file", "/h/c"), move("/h/a")}, false, 0},
		{"one of a pattern", []plan.Goal{move("/h/a")}, true, 1},
		{"a pattern beside a new file", []plan.Goal{file("create", "file", "/h/c"), move("/h/a")}, true, 1},
	} {
		r := Request{Goals: numbered(nil, tt.goals...), Several: tt.pattern, Capabilities: fileTools()}
		made, ok := planFor(t, r).Plan()
		if !ok {
			t.Errorf("%s: no plan", tt.name)
			continue
		}
		n := 0
		for _, a := range made.Actions() {
			if a.Several {
				n++
			}
		}
		if n != tt.want {
			t.Errorf("%s: %d actions are marked, want %d", tt.name, n, tt.want)
		}
	}
}
