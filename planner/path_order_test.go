package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/plan"
)

// fileTools are one tool for each file action.
func fileTools() []plan.Capability {
	var out []plan.Capability
	for _, action := range append([]string{"create", "delete"}, plan.FileActions()...) {
		out = append(out, plan.Capability{
			Name: "files." + action, CanAchieve: []string{action + "_file", action + "_folder"},
			Params: []string{"path", "destination", "text", "content", "name", "extensions", "kind", "newer_than", "older_than", "min_size", "max_size", "sort", "limit"},
		})
	}
	return out
}

// TestFileGoals plans goals about files that exist, with their arguments, order and refusals.
func TestFileGoals(t *testing.T) {
	file := func(action, target, destination string) plan.Goal {
		return plan.Goal{GoalType: plan.FileOperation, Action: action, ObjectType: "file", Target: target, Destination: destination}
	}
	text := func(g plan.Goal, value string) plan.Goal { g.Value = value; return g }
	tests := []struct {
		name   string
		goals  []plan.Goal
		facts  []string
		tools  []string // of the plan, in order
		args   map[string]any
		reason string // code, if there is no plan
	}{
		{"into a folder", []plan.Goal{file("move", "/h/a.txt", "/h/docs/")}, nil, []string{"files.move"}, map[string]any{"path": "/h/a.txt", "destination": "/h/docs/a.txt"}, ""},
		{"to a new name", []plan.Goal{file("rename", "/h/a.txt", "b.txt")}, nil, []string{"files.rename"}, map[string]any{"path": "/h/a.txt", "destination": "/h/b.txt"}, ""},
		{"a text", []plan.Goal{text(file("append", "/h/a.txt", ""), "eggs")}, nil, []string{"files.append"}, map[string]any{"path": "/h/a.txt", "text": "eggs"}, ""},
		{"a new file with a text", []plan.Goal{text(file("create", "/h/a.txt", ""), "eggs")}, nil, []string{"files.create"}, map[string]any{"path": "/h/a.txt", "text": "eggs"}, ""},
		{"by kind", []plan.Goal{text(file("find", "/h", ""), ".jpg,.png")}, nil, []string{"files.find"}, map[string]any{"path": "/h", "extensions": []any{".jpg", ".png"}, "kind": "file"}, ""},
		{"by time, size and text, in order", []plan.Goal{text(file("find", "/h", ""), ".pdf,after:2026-01-02T00:00:00Z,before:2026-01-03T00:00:00Z,larger:5,smaller:9,order:newest,text:a, b")}, nil, []string{"files.find"}, map[string]any{
			"path": "/h", "extensions": []any{".pdf"}, "kind": "file", "newer_than": "2026-01-02T00:00:00Z", "older_than": "2026-01-03T00:00:00Z",
			"min_size": 5.0, "max_size": 9.0, "sort": "newest", "text": "a, b",
		}, ""},
		{"an archive beside it", []plan.Goal{file("zip", "/h/a.txt", "")}, nil, []string{"files.zip"}, map[string]any{"path": "/h/a.txt", "destination": "/h/a.txt.zip"}, ""},
		{"a folder for an archive", []plan.Goal{file("unzip", "/h/a.tar.gz", "")}, nil, []string{"files.unzip"}, map[string]any{"path": "/h/a.tar.gz", "destination": "/h/a"}, ""},

		{"copy, then delete", []plan.Goal{file("copy", "/h/a.txt", "/h/docs/"), file("delete", "/h/a.txt", "")}, nil, []string{"files.copy", "files.delete"}, nil, ""},
		{"create, then move", []plan.Goal{file("create", "/h/a.txt", ""), file("move", "/h/a.txt", "/h/docs/")}, nil, []string{"files.create", "files.move"}, nil, ""},
		{"move, then rename", []plan.Goal{file("move", "/h/z.txt", "/h/docs/"), file("rename", "/h/docs/z.txt", "a.txt")}, []string{"!exists:/h/docs/z.txt"}, []string{"files.move", "files.rename"}, nil, ""},

		{"nowhere", []plan.Goal{file("move", "/h/a.txt", "")}, nil, nil, nil, "reason.no_destination"},
		{"where it is", []plan.Goal{file("move", "/h/a.txt", "/h/")}, nil, nil, nil, "reason.same_place"},
		{"into itself", []plan.Goal{file("move", "/h/a", "/h/a/b/")}, nil, nil, nil, "reason.into_itself"},
		{"no text", []plan.Goal{file("append", "/h/a.txt", "")}, nil, nil, nil, "reason.no_text"},
		{"nothing there", []plan.Goal{file("read", "/h/a.txt", "")}, []string{"!exists:/h/a.txt"}, nil, nil, "reason.not_there"},
		{"upwards", []plan.Goal{file("copy", "/h/a.txt", "/h/../etc/")}, nil, nil, nil, "reason.climbing_path"},
		{"onto a root", []plan.Goal{file("unzip", "/h/a.zip", "/")}, nil, nil, nil, "reason.root_path"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := New(catalogue.Default()).Plan(Request{
				Goals: plan.NewGoalSet(tt.goals, nil), Capabilities: fileTools(), World: plan.World{RecentFacts: tt.facts},
			})
			must.Succeed(t, err)
			if tt.reason != "" {
				if _, planned := r.Plan(); planned || r.Reason().Code != tt.reason {
					t.Errorf("plan %t, reason %v, want %s", planned, r.Reason(), tt.reason)
				}
				return
			}
			p, _ := r.Plan()
			var tools []string
			for _, a := range p.Actions() {
				tools = append(tools, a.Tool)
			}
			if diff := cmp.Diff(tt.tools, tools); diff != "" {
				t.Fatalf("tools (-want +got):\n%s\n%v", diff, r.Reason())
			}
			if tt.args != nil {
				if diff := cmp.Diff(tt.args, p.Actions()[0].Args); diff != "" {
					t.Errorf("arguments (-want +got):\n%s", diff)
				}
			}
		})
	}
}
