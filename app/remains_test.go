package app

import (
	"os"
	"path/filepath"
	"testing"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// TestRemainsOfKilledCalls checks that a run removes the temporary files that the calls of dead
// programs left, and nothing else.
func TestRemainsOfKilledCalls(t *testing.T) {
	for name, tt := range map[string]struct {
		tool   string
		args   func(docs string) map[string]any
		folder string // of the temporary name
		lives  bool
		other  bool // the file belongs to another call
		left   bool
	}{
		"a zip":                   {"archive.create", func(docs string) map[string]any { return map[string]any{"path": docs, "destination": docs + "/a.zip"} }, "", false, false, false},
		"a copy":                  {"files.copy", func(docs string) map[string]any { return map[string]any{"path": docs, "destination": docs + "/in/b"} }, "in", false, false, false},
		"an extraction":           {"archive.extract", func(docs string) map[string]any { return map[string]any{"path": docs + "/a.zip", "into": docs + "/in"} }, "in", false, false, false},
		"outside of the folders":  {"files.copy", func(docs string) map[string]any { return map[string]any{"path": docs, "destination": docs + "/../b"} }, "..", false, false, true},
		"of a program that lives": {"archive.create", func(docs string) map[string]any { return map[string]any{"path": docs, "destination": docs + "/a.zip"} }, "", true, false, true},
		"of another call":         {"archive.create", func(docs string) map[string]any { return map[string]any{"path": docs, "destination": docs + "/a.zip"} }, "", false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			a, home := opened(t, Options{})
			docs := filepath.Join(home, "Documents")
			must.Succeed(t, os.MkdirAll(filepath.Join(docs, "in"), 0o700))
			b := another(t, a)
			s, err := b.storage()
			must.Succeed(t, err)
			must.Succeed(t, s.Begin(t.Context(), trace.Run{RunID: "r1", Goal: "x", Status: trace.Running}))
			args := tt.args(docs)
			_, err = s.Claim(t.Context(), trace.Step{RunID: "r1", StepID: "a1", ToolName: tt.tool, ArgsHash: tool.HashArgs(args), Args: args, EffectKey: "r1:a1"})
			must.Succeed(t, err)
			key := "r1:a1"
			if tt.other {
				key = "r1:a2"
			}
			part := filepath.Join(docs, tt.folder, tool.PartName(key))
			must.Succeed(t, os.WriteFile(part, []byte("half"), 0o600))
			if !tt.lives {
				must.Succeed(t, b.Close())
			}
			r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder New in documents"})
			if err != nil || r.Status != trace.Done {
				t.Fatal(r.Status, r.Error, err)
			}
			if there(part) != tt.left {
				t.Errorf("left: %t, want %t", there(part), tt.left)
			}
			if tt.lives {
				must.Succeed(t, b.Close())
			}
		})
	}
}
