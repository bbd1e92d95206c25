//go:build unix

package plugins_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"errand/build/must"
	"errand/build/swap"
	"errand/host/filestate"
	"errand/host/realpath"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

// TestCallsUseThePlaceOfTheDecision swaps a link on the path of a plugin's call. Policy
// denies the folder Private, one of the places that it leads to: nothing there is read or
// changes.
func TestCallsUseThePlaceOfTheDecision(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	for _, name := range []string{"safe", "Private"} {
		must.Succeed(t, os.Mkdir(filepath.Join(root, name), 0o755))
		archive, err := os.Create(filepath.Join(root, name, "x.zip"))
		must.Succeed(t, err)
		w := zip.NewWriter(archive)
		if _, err := w.Create("of " + name); err != nil {
			t.Fatal(err)
		}
		must.Succeed(t, errors.Join(w.Close(), archive.Close()))
	}
	set, err := tool.NewSet(slices.Collect(maps.Values(tools(t, root)))...)
	must.Succeed(t, err)
	args := func(rule string) map[string]string { return map[string]string{"/path": root + rule} }
	gate, err := policy.New(policy.Settings{RealPath: func(p string) string { real, _ := realpath.Resolve(p); return real }, Rules: []policy.Rule{
		{Verdict: policy.Deny, Args: args("/Private/*")}, {Verdict: policy.Allow, Args: args("/*")},
	}})
	must.Succeed(t, err)
	log := &trace.Memory{}
	must.Succeed(t, log.Begin(t.Context(), trace.Run{RunID: "r"}))
	d := run.NewDispatcher(run.DispatcherOptions{Tools: set, Log: log, Decide: gate.Decide, Locate: filestate.Locate})
	stop := swap.Link(t, root+"/way", "safe", "Private")
	tests := []struct {
		tool string
		args map[string]any
	}{
		{"files.create_file", map[string]any{"path": root + "/way/new", "content": "new"}},
		{"files.create_folder", map[string]any{"path": root + "/way/folder"}},
		{"files.create_folder", map[string]any{"path": root + "/way/deep/er"}},
		{"files.create_file", map[string]any{"path": root + "//way/./new", "content": "new"}},
		{"archive.list", map[string]any{"path": root + "/way/x.zip"}},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprint(i, " ", tt.tool), func(t *testing.T) {
			done, denied := 0, 0
			answers := map[string]bool{}
			for n := range 300 {
				for _, name := range []string{"new", "folder", "deep"} {
					must.Succeed(t, os.RemoveAll(filepath.Join(root, "safe", name)))
				}
				r, _ := d.Dispatch(t.Context(), tool.Call{RunID: "r", ActionID: fmt.Sprintf("a%d-%d", i, n), Tool: tt.tool, Args: tt.args, Origin: "user_goal"})
				switch {
				case r.OK:
					done++
					answers[fmt.Sprint(r.Payload)] = true
				case r.Error.Class == tool.PolicyDenied:
					denied++
				}
				if entries, err := os.ReadDir(root + "/Private"); err != nil || len(entries) != 1 {
					t.Fatalf("the folder holds %v, %v", entries, err)
				}
			}
			if done == 0 || denied == 0 {
				t.Errorf("%d done, %d denied: it was no race", done, denied)
			}
			if tt.tool == "archive.list" && len(answers) != 1 {
				t.Errorf("two files were read: %v", slices.Collect(maps.Keys(answers)))
			}
		})
	}
	stop()
}
