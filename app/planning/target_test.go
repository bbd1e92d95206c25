package planning

import (
	"testing"

	"errand/app/i18n"
	"errand/planner/plan"
)

// TestCheckKinds checks goals about a path that has another kind of object than they say.
func TestCheckKinds(t *testing.T) {
	goal := func(action, kind, path string) plan.Goal {
		return plan.Goal{GoalType: plan.FileOperation, Action: action, ObjectType: kind, Target: path}
	}
	for _, tt := range []struct {
		name  string
		goals []plan.Goal
		facts []string
		want  string // message and hint
	}{
		{"delete a file that is a folder", []plan.Goal{goal("delete", "file", "/a")}, []string{"is_folder:/a"}, "/a is a folder. to delete it, say: delete folder \"/a\""},
		{"delete a folder that is a file", []plan.Goal{goal("delete", "folder", "/a b")}, []string{"is_file:/a b"}, "/a b is a file. to delete it, say: delete file \"/a b\""},
		{"create a file where a folder is", []plan.Goal{goal("create", "file", "/a")}, []string{"is_folder:/a"}, "/a is a folder. choose another name, or say: delete folder \"/a\""},
		{"create a folder where a file is", []plan.Goal{goal("create", "folder", "/a")}, []string{"is_file:/a"}, "/a is a file. choose another name, or say: delete file \"/a\""},
		{"the second goal", []plan.Goal{goal("delete", "file", "/b"), goal("delete", "file", "/a")}, []string{"exists:/b", "is_folder:/a"}, "/a is a folder. to delete it, say: delete folder \"/a\""},
		{"the folder is deleted first", []plan.Goal{goal("delete", "folder", "/a"), goal("create", "file", "/a")}, []string{"exists:/a", "is_folder:/a"}, ""},
		{"another path", []plan.Goal{goal("delete", "file", "/a")}, []string{"is_folder:/b", "exists:/a"}, ""},
		{"the kind that is said", []plan.Goal{goal("delete", "folder", "/a")}, []string{"exists:/a", "has_items:/a"}, ""},
		{"nothing is there", []plan.Goal{goal("delete", "folder", "/a")}, []string{"!exists:/a"}, ""},
		{"not about files", []plan.Goal{{GoalType: plan.BrowserNavigate, Target: "/a", ObjectType: "file"}}, []string{"is_folder:/a"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if fault := checkKinds(tt.goals, plan.World{RecentFacts: tt.facts}); fault != nil {
				got = i18n.English().Text(fault.Message) + " " + i18n.English().Text(fault.Hint)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
