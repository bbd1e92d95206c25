package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

// TestEmptyTrash plans goals about the trash: nothing is done if it is empty, unless an earlier
// goal fills it, and deletions and emptying keep the order of the words.
func TestEmptyTrash(t *testing.T) {
	empty := plan.Goal{GoalType: plan.FileOperation, Action: plan.EmptyAction, ObjectType: plan.TrashType}
	tool := plan.Capability{Name: "files.empty_trash", CanAchieve: []string{"empty_trash"}}
	a, b := file("delete", "file", "/h/a"), file("delete", "folder", "/h/b")
	const (
		deleteA = "files.delete_file{path=/h/a} file_deleted"
		deleteB = "files.delete_folder{path=/h/b} folder_deleted"
		emptyIt = "files.empty_trash{} trash_emptied"
	)
	for _, tt := range []struct {
		name    string
		goals   []plan.Goal
		isEmpty bool
		want    []string
		reason  string
	}{
		{"full", []plan.Goal{empty}, false, []string{"a1 " + emptyIt}, ""},
		{"empty", []plan.Goal{empty}, true, nil, "reason.trash_empty"},
		{"empty, twice", []plan.Goal{empty, empty}, true, nil, "reason.trash_empty"},
		{"empty, then filled", []plan.Goal{empty, a}, true, []string{"a1 " + deleteA}, ""},
		{"filled before", []plan.Goal{a, empty}, true, []string{"a1 " + deleteA, "a2 " + emptyIt + " a1"}, ""},
		{"full, then filled again", []plan.Goal{empty, a}, false, []string{"a1 " + emptyIt, "a2 " + deleteA + " a1"}, ""},
		{"two deletions", []plan.Goal{a, b, empty}, false, []string{"a1 " + deleteA, "a2 " + deleteB, "a3 " + emptyIt + " a1,a2"}, ""},
		{"between", []plan.Goal{a, empty, b}, false, []string{"a1 " + deleteA, "a2 " + emptyIt + " a1", "a3 " + deleteB + " a2"}, ""},
		{"something else before", []plan.Goal{file("create", "file", "/h/c"), empty}, true, []string{"a1 files.create_file{path=/h/c} file_created"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := withTools(request(tt.goals...), append(allTools[3:len(allTools):len(allTools)], tool)...)
			if tt.isEmpty {
				r.World.RecentFacts = []string{plan.TrashEmpty}
			}
			got := planFor(t, r)
			if diff := cmp.Diff(tt.want, brief(got)); diff != "" || got.Reason().Code != tt.reason {
				t.Errorf("reason %q, want %q; actions (-want +got):\n%s", got.Reason().Code, tt.reason, diff)
			}
		})
	}
}
