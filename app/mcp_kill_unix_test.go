//go:build unix

package app

import (
	"context"
	"path/filepath"
	"testing"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
)

// approveAndDie approves a draft and dies after the effect of its call, before its record.
func approveAndDie(ctx context.Context, a *App, draftID string) int {
	calls, instead := 0, a.replaceTool
	a.replaceTool = func(t tool.Tool) tool.Tool {
		t = instead(t)
		if l, ok := t.(looking); ok {
			return dying{l, &calls, 1}
		}
		return t
	}
	_, _ = a.Approve(ctx, runs.ApproveRequest{ID: draftID})
	return 2 // it should be dead
}

// TestMCPKilled kills the program that makes an approved call between the effect and its record. The
// client's call is not made again, and has its result after the run is resumed.
func TestMCPKilled(t *testing.T) {
	home := filepath.Join(t.TempDir(), "looking")
	a := scene(t, home)
	c := connect(t, a, "tester")
	path := filepath.Join(home, "Documents", "Trip")
	call := map[string]any{"path": path}
	asked := c.ask("files_create_folder", call)
	if asked.Draft.ID == "" {
		t.Fatalf("%+v", asked)
	}
	if start(t, home, "approve", asked.Draft.ID).Wait() == nil {
		t.Fatal("it lives")
	}
	for range 2 {
		if again := c.ask("files_create_folder", call); again.OK || again.Draft.ID != asked.Draft.ID {
			t.Errorf("%+v", again)
		}
	}
	_, err := a.Resume(t.Context(), runs.ResumeRequest{ID: asked.Draft.RunID})
	must.Succeed(t, err)
	if done := c.ask("files_create_folder", call); !done.OK || !done.Repeated {
		t.Errorf("%+v", done)
	}
	if got := count(filepath.Join(home, "counted")); len(got) != 1 || got[path] != 1 {
		t.Errorf("effects %v", got)
	}
}
