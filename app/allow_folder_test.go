//go:build linux

package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/swap"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// closedFolder makes a folder of the user that tools may not use, with one file in it.
func closedFolder(t *testing.T, home, name string) string {
	t.Helper()
	folder := filepath.Join(home, name)
	must.Succeed(t, os.MkdirAll(folder, 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(folder, "a.txt"), []byte("a note"), 0o600))
	return folder
}

// TestAllowFolderOfDraft checks that only the user's own answer allows a folder, that a draft
// which can't be answered leaves no grant, and that a grant which was revoked counts no more.
func TestAllowFolderOfDraft(t *testing.T) {
	a, home := opened(t, Options{})
	folder := closedFolder(t, home, "Pictures")
	request := runs.Request{Origin: plan.UserGoal, Words: "delete file ~/Pictures/a.txt", Permit: a.grants.Permit}
	r, err := a.Start(t.Context(), request)
	must.Succeed(t, err)
	answers := map[string]string{"folder:" + folder: "once"}
	if r.Draft == nil || len(r.Draft.Questions) != 1 || r.Draft.Questions[0].ID != "folder:"+folder {
		t.Fatalf("%s, %v, draft %+v", r.Status, r.Error, r.Draft)
	}
	var fault *tool.Error
	if _, err := a.Answer(t.Context(), r.DraftID, answers, nil); !errors.As(err, &fault) || fault.Code != "not_the_user" {
		t.Errorf("an answer that is not the user's: %v", err)
	}
	// The draft is rejected by another program while the answer is taken.
	late := func(ctx context.Context, runID string, access grants.Access, always bool) (string, error) {
		id, err := a.grants.Permit(ctx, runID, access, always)
		must.Succeed(t, err)
		_, err = a.Reject(ctx, r.DraftID)
		must.Succeed(t, err)
		return id, nil
	}
	if _, err := a.Answer(t.Context(), r.DraftID, map[string]string{"folder:" + folder: "always"}, late); err == nil {
		t.Error("a draft that was rejected meanwhile was answered")
	}
	if got := states(t, a); got[""] == grants.Open {
		t.Errorf("the grant stays: %v", got)
	}

	for _, origin := range []plan.Origin{plan.Agent, plan.MCP} { // they have no way to grant
		r, err := a.Start(t.Context(), runs.Request{Origin: origin, Words: request.Words})
		must.Succeed(t, err)
		if r.Draft != nil || r.Error == nil {
			t.Errorf("%s: %s, %v", origin, r.Status, r.Error)
		}
	}

	r, err = a.Start(t.Context(), request)
	must.Succeed(t, err)
	d, err := a.Answer(t.Context(), r.DraftID, answers, a.grants.Permit)
	must.Succeed(t, err)
	for _, g := range a.grants.Folders(r.RunID) {
		_, err := a.grants.Revoke(t.Context(), g.ID)
		must.Succeed(t, err)
	}
	done, err := a.Runs.Approve(t.Context(), runs.ApproveRequest{ID: r.DraftID, Revision: d.Revision})
	if _, gone := os.Stat(filepath.Join(folder, "a.txt")); gone != nil || err == nil && done.Status == trace.Done {
		t.Errorf("revoked, and done: %s, %v", done.Status, err)
	}
}

// TestFolderOfOneRun checks that other runs can't use the folder of a run, and the run that undoes
// it can.
func TestFolderOfOneRun(t *testing.T) {
	a, home := opened(t, Options{})
	folder := closedFolder(t, home, "Pictures")
	request := runs.Request{
		Origin: plan.UserGoal, Words: "delete file ~/Pictures/a.txt", Permit: a.grants.Permit, Approve: func(context.Context, drafts.View) (drafts.Answer, error) { return drafts.Answer{Yes: true}, nil },
		Ask: func(context.Context, plan.Question) (string, error) { return "once", nil },
	}
	r, err := a.Start(t.Context(), request)
	must.Succeed(t, err)
	if _, gone := os.Stat(filepath.Join(folder, "a.txt")); r.Status != trace.Done || gone == nil {
		t.Fatalf("%s, %v", r.Status, r.Error)
	}
	if got := a.grants.Folders("another"); len(got) != 0 {
		t.Errorf("another run may use %v", got)
	}
	if got := a.grants.Folders(r.RunID); len(got) != 1 || got[0].Real != folder {
		t.Errorf("the run may use %v", got)
	}
	replayed, err := a.Replay(t.Context(), r.RunID)
	must.Succeed(t, err)
	if replayed.Difference != nil {
		t.Errorf("replay: %+v", replayed.Difference)
	}
	view, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
	must.Succeed(t, err)
	if undone := approved(t, a, runs.ApproveRequest{ID: view.DraftID}); undone.Status != trace.Done {
		t.Errorf("undo: %s, %v", undone.Status, undone.Error)
	}
	if _, err := os.Stat(filepath.Join(folder, "a.txt")); err != nil {
		t.Error(err)
	}
}

// TestAllowedFolderIsExchanged exchanges a folder that the user allowed by a link to another one,
// while calls are made in it. Nothing in the other one may change, and none of its files is
// read.
func TestAllowedFolderIsExchanged(t *testing.T) {
	a, home := opened(t, Options{})
	safe, precious := closedFolder(t, home, "photos"), closedFolder(t, home, "Private")
	way := filepath.Join(home, "way")
	must.Succeed(t, os.Symlink(safe, way))
	_, err := a.grants.Permit(t.Context(), "", grants.Access{Folder: way, Real: safe}, true)
	must.Succeed(t, err)
	set, err := a.toolSet(tool.WithFolders(t.Context(), []string{way}))
	must.Succeed(t, err)
	usual, err := a.toolSet(t.Context())
	must.Succeed(t, err)
	for _, name := range []string{"files.delete_file", "files.read", "files.list", "system.open_path"} {
		found, ok := set.Get(name)
		if !ok || !slices.Contains(found.Spec().Granted, way) {
			t.Fatalf("%s may not use the folder", name)
		}
		plain, _ := usual.Get(name)
		if plain.Spec().Fingerprint() != found.Spec().Fingerprint() {
			t.Errorf("the folder changes the tool %s, and so its approvals", name)
		}
	}
	stop := swap.Link(t, way, safe, precious)
	remove := func() trace.Status {
		must.Succeed(t, os.WriteFile(filepath.Join(safe, "a.txt"), []byte("a note"), 0o600))
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "delete file ~/way/a.txt", Yes: true})
		must.Succeed(t, err)
		if _, err := os.Stat(filepath.Join(precious, "a.txt")); err != nil {
			t.Fatalf("%s: %v", r.Status, err)
		}
		return r.Status
	}
	refused := 0
	for range 40 {
		if remove() != trace.Done {
			refused++
		}
	}
	stop()
	if refused == 0 {
		t.Error("none was refused: it was no race")
	}
	must.Succeed(t, os.Remove(way))
	must.Succeed(t, os.Symlink(safe, way))
	if status := remove(); status != trace.Done { // the link alone was the reason
		t.Errorf("%s while the link stays", status)
	}
}
