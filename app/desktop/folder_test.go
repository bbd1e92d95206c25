package desktop

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"errand/app/desktop/view"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

// TestShowFolder: the page names a run and no path, and
// what the record names has to be there, below the data folder.
func TestShowFolder(t *testing.T) {
	made := func(paths ...string) trace.Record {
		var files []tool.Artifact
		for _, p := range paths {
			files = append(files, tool.Artifact{Name: filepath.Base(p), Path: p})
		}
		return trace.Record{Run: trace.Run{RunID: runID}, Steps: []trace.Step{{StepID: "a1", Artifacts: files}}}
	}
	engine := litmusEngine(t, policy.Allow)
	data := engine.conf.Paths.Data
	inside, outside := filepath.Join(data, "artifacts", "r", "page.png"), filepath.Join(t.TempDir(), "elsewhere.png")
	for _, file := range []string{inside, outside} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must.Succeed(t, os.WriteFile(file, []byte("x"), 0o600))
	}
	tests := []struct {
		name   string
		rec    trace.Record
		ask    view.FolderAsk
		window bool
		saved  string
		want   string // the folder, or the code of why not
	}{
		{"what a run has made", made(inside), view.FolderAsk{RunID: runID}, true, "", filepath.Dir(inside)},
		{"by a path below the data folder", made("artifacts/r/page.png"), view.FolderAsk{RunID: runID}, true, "", filepath.Dir(inside)},
		{"the first is gone", made("artifacts/r/gone.png", inside), view.FolderAsk{RunID: runID}, true, "", filepath.Dir(inside)},
		{"nothing was made", made(), view.FolderAsk{RunID: runID}, true, "", "no_files"},
		{"not below the data folder", made(outside, "../elsewhere.png"), view.FolderAsk{RunID: runID}, true, "", "no_files"},
		{"no such run", made(inside), view.FolderAsk{RunID: "01zzzz"}, true, "", "run_not_found"},
		{"what was exported", made(), view.FolderAsk{}, true, "/home/ann/run.json", "/home/ann"},
		{"nothing was exported", made(), view.FolderAsk{}, true, "", "no_files"},
		{"a page in a browser", made(inside), view.FolderAsk{RunID: runID}, false, "", "not_here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			engine.records = map[string]trace.Record{runID: tt.rec}
			api := opened(t, engine, &fakeFace{dialogs: tt.window})
			shown := ""
			api.openFolder = func(_ context.Context, dir string) error { shown = dir; return nil }
			api.saved = tt.saved
			if err := api.OpenFolder(tt.ask); err != nil {
				shown += view.FailureOf(err).Code
			}
			if shown != tt.want {
				t.Errorf("shown %q, want %q", shown, tt.want)
			}
		})
	}
}
