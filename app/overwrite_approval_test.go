//go:build unix

package app

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// writeZip makes an archive of files by their names.
func writeZip(t *testing.T, path string, names ...string) {
	t.Helper()
	f, err := os.Create(path)
	must.Succeed(t, err)
	w := zip.NewWriter(f)
	for _, name := range names {
		entry, err := w.Create(name)
		if err == nil {
			_, err = entry.Write([]byte("new"))
		}
		must.Succeed(t, err)
	}
	must.Succeed(t, errors.Join(w.Close(), f.Close()))
}

// TestApprovalCoversReplacedFiles approves an extraction and changes the folder before it
// runs. The files that it replaces are part of the approval.
func TestApprovalCoversReplacedFiles(t *testing.T) {
	write := func(name, text string) func(t *testing.T, out string) {
		return func(t *testing.T, out string) {
			t.Helper()
			must.Succeed(t, os.WriteFile(filepath.Join(out, name), []byte(text), 0o600))
		}
	}
	tests := []struct {
		name      string
		overwrite bool
		only      []any
		there     []string // files in the folder, "mine" each
		links     map[string]string
		replaces  []string
		note      string
		change    func(t *testing.T, out string)
		drift     bool
		failure   string
	}{
		{name: "nothing changes", overwrite: true, there: []string{"a.txt"}, replaces: []string{"a.txt"}, note: "replaces 1 existing file"},
		{name: "a file is rewritten", overwrite: true, there: []string{"a.txt"}, replaces: []string{"a.txt"}, change: write("a.txt", "gold"), drift: true},
		{name: "a file is removed", overwrite: true, there: []string{"a.txt"}, replaces: []string{"a.txt"}, drift: true, change: func(t *testing.T, out string) {
			must.Succeed(t, os.Remove(filepath.Join(out, "a.txt")))
		}},
		{name: "a file is added", overwrite: true, there: []string{"a.txt"}, replaces: []string{"a.txt"}, change: write("d/b.txt", "mine"), drift: true},
		{name: "the first file is added", overwrite: true, change: write("a.txt", "mine"), drift: true},
		{name: "a nested file is rewritten", overwrite: true, there: []string{"d/b.txt"}, replaces: []string{"d/b.txt"}, change: write("d/b.txt", "gold"), drift: true},
		{name: "another file changes", overwrite: true, there: []string{"a.txt", "mine.txt"}, replaces: []string{"a.txt"}, change: write("mine.txt", "gold")},
		{name: "a file becomes a link", overwrite: true, there: []string{"a.txt", "mine.txt"}, replaces: []string{"a.txt"}, drift: true, change: func(t *testing.T, out string) {
			must.Succeed(t, errors.Join(os.Remove(filepath.Join(out, "a.txt")), os.Symlink("mine.txt", filepath.Join(out, "a.txt"))))
		}},
		{name: "a link", overwrite: true, there: []string{"mine.txt"}, links: map[string]string{"a.txt": "mine.txt"}, replaces: []string{"a.txt"}},
		{name: "a part of the archive", overwrite: true, only: []any{"d"}, there: []string{"a.txt", "d/b.txt"}, replaces: []string{"d/b.txt"}, change: write("a.txt", "gold")},
		{name: "no overwrite, nothing there"},
		{name: "no overwrite, a file is added", change: write("a.txt", "mine"), failure: "file_exists"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			out := folders(t, home, "out", "out/d")[0]
			file := filepath.Join(home, "Documents", "a.zip")
			writeZip(t, file, "a.txt", "d/b.txt")
			for _, name := range tt.there {
				write(name, "mine")(t, out)
			}
			for name, target := range tt.links {
				must.Succeed(t, os.Symlink(target, filepath.Join(out, name)))
			}
			args := map[string]any{"path": file, "into": out, "overwrite": tt.overwrite}
			if tt.only != nil {
				args["only"] = tt.only
			}
			d := waitingCall(t, a, "archive.extract", args)
			want := []string{}
			for _, name := range tt.replaces {
				want = append(want, filepath.Join(out, name))
			}
			shown := d.Actions[0]
			if !slices.Equal(append([]string{}, shown.Destroys...), want) || shown.Reversible != (len(want) == 0) || shown.Destructive != (len(want) > 0) {
				t.Fatalf("shows %v, reversible %t, destructive %t; want %v", shown.Destroys, shown.Reversible, shown.Destructive, want)
			}
			if !strings.Contains(say(shown.Note), tt.note) {
				t.Errorf("note %q, want %q", say(shown.Note), tt.note)
			}
			if tt.change != nil {
				tt.change(t, out)
			}
			before := contentsOf(t, out)
			r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
			switch {
			case tt.drift:
				if r.Status != trace.NeedsApproval || r.Error == nil || r.Error.Code != drafts.CodeDrift || r.Draft.State != approval.StateDraft || before != contentsOf(t, out) {
					t.Fatalf("%s, %+v, the folder holds %s; before %s", r.Status, r.Error, contentsOf(t, out), before)
				}
			case tt.failure != "":
				if r.Status != trace.Failed || r.Steps[0].Error.Code != tt.failure || before != contentsOf(t, out) {
					t.Errorf("%s, %+v", r.Status, r.Error)
				}
			case r.Status != trace.Done:
				t.Errorf("%s, %+v", r.Status, r.Error)
			default:
				if undo, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID); (err == nil) != shown.Reversible {
					t.Errorf("undo %+v, %v; the draft said reversible %t", undo, err, shown.Reversible)
				}
			}
		})
	}
}

// waitingCall is the draft of a call of a tool.
func waitingCall(t *testing.T, a *App, name string, args map[string]any) drafts.View {
	t.Helper()
	b := must.JSON(t, args)
	specs, err := a.Tools(t.Context())
	must.Succeed(t, err)
	p, err := a.PlanCall(planning.Call{Tool: name, Args: b}, specs)
	must.Succeed(t, err)
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Plan: &runs.Plan{Plan: p}})
	if err != nil || r.Draft == nil {
		t.Fatalf("%s, %+v, %v", r.Status, r.Error, err)
	}
	return *r.Draft
}

// contentsOf lists the files in a folder with their texts.
func contentsOf(t *testing.T, folder string) string {
	t.Helper()
	var out []string
	must.Succeed(t, filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out = append(out, path+"="+string(b))
		return err
	}))
	return strings.Join(out, " ")
}
