package planning

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/config"
	"errand/app/secrets"
	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/plan"
)

// newPlannerAt makes a planner with the granted folders Documents and Downloads in home.
func newPlannerAt(t *testing.T, home string) *Planner {
	t.Helper()
	loaded := &config.Loaded{Catalogue: catalogue.Default()}
	loaded.Paths.Home = home
	loaded.Files.Roots = []string{filepath.Join(home, "Documents"), filepath.Join(home, "Downloads")}
	p, err := New(Options{Config: loaded, Vault: secrets.NewVault(true, nil)})
	must.Succeed(t, err)
	return p
}

// TestSettle gives goals about files that exist what the world says of them.
func TestSettle(t *testing.T) {
	home := t.TempDir()
	for _, file := range []string{"Documents/todo.txt", "Documents/both.txt", "Downloads/both.txt", "Downloads/scan.pdf", "Documents/old/x.txt"} {
		path := filepath.Join(home, file)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	p := newPlannerAt(t, home)
	tests := []struct {
		words       string
		target      string // below home
		object      string
		destination string
		fault       string // code of the error, or ""
	}{
		{"read todo.txt", "Documents/todo.txt", "file", "", ""},
		{"read scan.pdf", "Downloads/scan.pdf", "file", "", ""},
		{"read both.txt", "Documents/both.txt", "file", "", "several_found"},
		{"read both.txt in downloads", "Downloads/both.txt", "file", "", ""},
		{"read none.txt", "Documents/none.txt", "file", "", "not_found"},
		{"move scan.pdf to documents", "Downloads/scan.pdf", "file", "Documents/", ""},
		{"move scan.pdf to documents/old", "Downloads/scan.pdf", "file", "Documents/old/", ""},
		{"move both.txt in downloads to documents", "Downloads/both.txt", "file", "Documents/", "destination_exists"},
		{"rename both.txt in downloads to scan.pdf", "Downloads/both.txt", "file", "scan.pdf", "destination_exists"},
		{"move old in documents to downloads", "Documents/old", "folder", "Downloads/", ""},
		{"copy the file old in documents to downloads", "Documents/old", "file", "Downloads/", "other_kind"},
		{"how big is old in documents", "Documents/old", "folder", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.words, func(t *testing.T) {
			in := p.Interpret(tt.words)
			if len(in.Goals) != 1 {
				t.Fatalf("goals %+v, reason %v", in.Goals, in.Reason)
			}
			world := plan.World{RecentFacts: p.ExistingPaths(in.files)}
			g := p.Settle(in.files, world.RecentFacts).Goals[0]
			want := []string{filepath.Join(home, tt.target), tt.object, tt.destination}
			if tt.destination != "" && g.Action != plan.RenameAction {
				want[2] = home + "/" + tt.destination
			}
			if diff := cmp.Diff(want, []string{g.Target, g.ObjectType, g.Destination}); diff != "" {
				t.Errorf("goal (-want +got):\n%s", diff)
			}
			if code := codeOf(p.CheckTargets(in, world, true)); code != tt.fault {
				t.Errorf("error %q, want %q", code, tt.fault)
			}
		})
	}
}

// TestSettleLooksAtNothing settles goals for a replay from the facts of the record alone.
func TestSettleLooksAtNothing(t *testing.T) {
	home := t.TempDir()
	p := newPlannerAt(t, home)
	path := filepath.Join(home, "Downloads", "gone.txt")
	g := p.Settle(p.Interpret("read gone.txt").files, []string{"is_file:" + path}).Goals[0]
	if g.Target != path {
		t.Errorf("target %s, want %s", g.Target, path)
	}
}

// TestWriteToMissingFile creates a missing file for a verb of writing, unless its name is near to one
// that is there. Other verbs need a file.
func TestWriteToMissingFile(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "Documents", "notes.txt")
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must.Succeed(t, os.WriteFile(path, []byte("x"), 0o600))
	p := newPlannerAt(t, home)
	for _, tt := range []struct {
		words, action string
		fault         string // code of the error, or ""
	}{
		{"write hello to greeting.md", "create", ""},
		{"write hello to greeting.md in documents", "create", ""},
		{"write hello to notes.txt", plan.AppendAction, ""},
		{"write hello to note.txt", plan.AppendAction, "not_found"},
		{"append hello to greeting.md", plan.AppendAction, "not_found"},
		{"add hello to greeting.md", plan.AppendAction, "not_found"},
		{"запиши в файл идеи.md текст сделать ремонт", "create", ""},
		{"напиши привет в письмо.md", "create", ""},
		{"допиши привет в письмо.md", plan.AppendAction, "not_found"},
	} {
		t.Run(tt.words, func(t *testing.T) {
			in := p.Interpret(tt.words)
			if len(in.Goals) != 1 {
				t.Fatalf("goals %+v, reason %v", in.Goals, in.Reason)
			}
			world := plan.World{RecentFacts: p.ExistingPaths(in.files)}
			g := p.Settle(in.files, world.RecentFacts).Goals[0]
			if g.Action != tt.action || g.Value == "" {
				t.Errorf("goal %+v, want the action %s with a text", g, tt.action)
			}
			if code := codeOf(p.CheckTargets(in, world, true)); code != tt.fault {
				t.Errorf("error %q, want %q", code, tt.fault)
			}
		})
	}
}
