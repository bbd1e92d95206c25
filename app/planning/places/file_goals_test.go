package places

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/config"
	"errand/planner/plan"
)

// TestExpandKeepsOrder makes a goal that comes after many files wait for each of them.
func TestExpandKeepsOrder(t *testing.T) {
	set := plan.NewGoalSet([]plan.Goal{
		{GoalType: plan.FileOperation, Action: "move", ObjectType: plan.FilesType, GoalID: "g1", Target: "/d/", Destination: "/e/", Value: ".pdf"},
		{GoalType: plan.FileOperation, Action: "zip", ObjectType: "folder", GoalID: "g2", Target: "/e"},
	}, map[string][]string{"g2": {"g1"}})
	got := Expand(set, []string{"match:g1:/d/a.pdf", "match:g1:/d/b.pdf", "match:g2:/d/c.pdf", "match:g1:/other/d.pdf"})
	if diff := cmp.Diff(map[string][]string{"g2": {"g1", "g1_2"}}, got.Deps); diff != "" || len(got.Goals) != 3 {
		t.Errorf("deps (-want +got):\n%s\ngoals %+v", diff, got.Goals)
	}
}

// TestShareFolders lets one goal create a folder that several goals need.
func TestShareFolders(t *testing.T) {
	move := func(id, target, to string) plan.Goal {
		return plan.Goal{GoalType: plan.FileOperation, Action: "move", ObjectType: "file", GoalID: id, Target: target, Destination: to}
	}
	set := plan.NewGoalSet([]plan.Goal{
		move("g1", "/d/a", "/new/"), move("g2", "/d/b", "/old/"), move("g3", "/d/c", "/new/"), move("g4", "/d/e", "/new/x"), move("g5", "/d/f", "/old/"),
	}, map[string][]string{"g4": {"g2"}})
	got := ShareFolders(set, []string{"!exists:/new", "is_folder:/old"}).Deps
	if diff := cmp.Diff(map[string][]string{"g3": {"g1"}, "g4": {"g2", "g1"}}, got); diff != "" {
		t.Errorf("deps (-want +got):\n%s", diff)
	}
}

// TestRealPathBounds leaves a path outside the granted folders as it is.
func TestRealPathBounds(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{"Documents", "Other/Name"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := Places{Granted: func() []string { return []string{filepath.Join(home, "Documents")} }, Conf: &config.Loaded{}}
	for _, path := range []string{"Other/name", "Documents/../Other/name", "documents"} {
		path = home + "/" + path
		if got := p.realPath(path); got != path {
			t.Errorf("realPath(%q) = %q", path, got)
		}
	}
}
