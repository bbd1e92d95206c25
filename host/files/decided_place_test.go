//go:build linux

package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/build/swap"
	"errand/host/files"
	"errand/host/filestate"
	"errand/host/realpath"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

// dispatcher is a dispatcher for the tools of a world whose policy protects the folder
// Private.
func (w world) dispatcher() *run.Dispatcher {
	w.t.Helper()
	var all []tool.Tool
	for _, t := range w.tools {
		all = append(all, t)
	}
	set, err := tool.NewSet(all...)
	must.Succeed(w.t, err)
	gate, err := policy.New(policy.Settings{UserGoalTools: []string{"files.*"}, RealPath: func(p string) string {
		real, _ := realpath.Resolve(p)
		return real
	}, Rules: []policy.Rule{
		{Verdict: policy.Deny, Tool: "files.*", Args: map[string]string{"/path": w.at("Private/*")}},
		{Verdict: policy.Allow, Tool: "files.*", Args: map[string]string{"/path": w.at("*")}},
	}})
	must.Succeed(w.t, err)
	log := &trace.Memory{}
	must.Succeed(w.t, log.Begin(w.t.Context(), trace.Run{RunID: "r"}))
	return run.NewDispatcher(run.DispatcherOptions{Tools: set, Log: log, Decide: gate.Decide, Locate: filestate.Locate})
}

// TestCallsUseThePlaceOfTheDecision swaps a link on the path of a call. Policy denies one of
// the places that it leads to, and nothing there may change.
func TestCallsUseThePlaceOfTheDecision(t *testing.T) {
	tests := []struct {
		name, tool string
		args       func(w world) map[string]any
		again      func(w world) // makes the next call possible
		intact     func(t *testing.T, w world)
	}{
		{
			"delete a file", files.DeleteFileName, func(w world) map[string]any { return args("path", w.at("way/x")) },
			func(w world) { w.write("safe/x", "safe") }, precious,
		},
		{
			"delete a file, other spelling", files.DeleteFileName, func(w world) map[string]any { return args("path", w.root+"//way/./x") },
			func(w world) { w.write("safe/x", "safe") }, precious,
		},
		{
			"delete a folder", files.DeleteFolderName, func(w world) map[string]any { return args("path", w.at("way/d"), "recursive", true) },
			func(w world) { w.write("safe/d/x", "safe") }, precious,
		},
		{
			"delete below a folder", files.DeleteFileName, func(w world) map[string]any { return args("path", w.at("way/d/x")) },
			func(w world) { w.write("safe/d/x", "safe") }, precious,
		},
		{
			"keep a file", files.KeepName, func(w world) map[string]any { return args("from", "a2", "path", w.at("way/new")) },
			func(w world) { os.Remove(w.at("safe/new")) }, precious,
		},
		{
			"keep in a folder", files.KeepName, func(w world) map[string]any { return args("from", "a2", "path", w.at("way")+"/") },
			func(w world) { os.Remove(w.at("safe/page.pdf")) }, precious,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("Private/x", "precious")
			w.write("Private/d/x", "precious")
			w.mkdir("safe")
			d := w.dispatcher()
			stop := swap.Link(t, w.at("way"), w.at("safe"), w.at("Private"))
			done, denied := 0, 0
			for i := range 400 {
				tt.again(w)
				call := tool.Call{RunID: "r", ActionID: "a" + string(rune('0'+i)), Tool: tt.tool, Args: tt.args(w), Origin: "user_goal"}
				switch r, _ := d.Dispatch(t.Context(), call); {
				case r.OK:
					done++
				case r.Error.Class == tool.PolicyDenied:
					denied++
				}
				tt.intact(t, w)
			}
			stop()
			if done == 0 || denied == 0 {
				t.Errorf("%d done, %d denied: it was no race", done, denied)
			}
		})
	}
}

// precious checks that nothing in the folder Private has changed.
func precious(t *testing.T, w world) {
	t.Helper()
	entries, err := os.ReadDir(w.at("Private"))
	if err != nil || len(entries) != 2 {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	for _, name := range []string{"x", "d/x"} {
		if got := read(t, filepath.Join(w.at("Private"), name)); got != "precious" {
			t.Fatalf("%s is %q", name, got)
		}
	}
}
