package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/app/undo"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// withTrash opens with a trash of its own, and one call at a time, so that the
// order is known.
func withTrash(t *testing.T) (a *App, home, trash string) {
	t.Helper()
	trash = t.TempDir()
	a, home = opened(t, Options{}, "XDG_DATA_HOME="+trash)
	a.conf.Run.Parallel = 1
	return a, home, trash
}

// deletion runs a goal that deletes, and approves some of it; none: all.
func deletion(t *testing.T, a *App, goal string, actions ...string) (runs.Report, drafts.View) {
	t.Helper()
	_, d := waitingDraft(t, a, goal)
	r := approved(t, a, runs.ApproveRequest{ID: d.DraftID, Actions: actions})
	if len(r.Failed) > 0 || len(r.Applied) == 0 {
		t.Fatalf("status %s, failed %+v, %v", r.Status, r.Failed, r.Error)
	}
	return r, d
}

func undone(t *testing.T, a *App, runID string) drafts.View {
	t.Helper()
	d, err := a.ProposeUndo(t.Context(), plan.UserGoal, runID)
	if err != nil {
		t.Fatalf("undo: %v", err)
	}
	return d
}

// vanish takes out of the trash what an action would restore.
func vanish(t *testing.T, trash string, d drafts.View, id string) {
	t.Helper()
	i := slices.IndexFunc(d.Actions, func(a drafts.Action) bool { return a.ActionID == id })
	name, found := d.Actions[i].Args["trashed"].(string), 0
	err := filepath.WalkDir(trash, func(path string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == name && filepath.Base(filepath.Dir(path)) == "files" {
			found++
			return errors.Join(os.RemoveAll(path), fs.SkipDir)
		}
		return err
	})
	if found != 1 {
		t.Fatalf("%d of %s in the trash, %v", found, name, err)
	}
}

func targets(d drafts.View) []string {
	var out []string
	for _, a := range d.Actions {
		out = append(out, filepath.Base(a.Args["path"].(string)))
	}
	return out
}

func TestUndoGoesOnBesideWhatFails(t *testing.T) {
	a, home, trash := withTrash(t)
	paths := folders(t, home, "A", "B")
	r, _ := deletion(t, a, "delete folders A and B in documents")
	d := undone(t, a, r.RunID)
	if !slices.Equal(targets(d), []string{"B", "A"}) {
		t.Fatalf("the last first: %v", targets(d))
	}
	got, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, Actions: []string{"a2"}})
	if err != nil || !slices.Equal(got.Applied, []string{"a2"}) || !slices.Equal(left(paths), []string{"A"}) {
		t.Fatalf("a2 alone: applied %v, left %v, %+v, %v", got.Applied, left(paths), got.Error, err)
	}
	if same := undone(t, a, r.RunID); same.DraftID != d.DraftID {
		t.Errorf("what waits for the rest was not answered: %+v", same)
	}
	if _, err := a.Reject(t.Context(), d.DraftID); err != nil {
		t.Fatal(err)
	}
	if next := undone(t, a, r.RunID); !slices.Equal(targets(next), []string{"B"}) {
		t.Errorf("after the rest was rejected it proposes %v, want B alone", targets(next))
	}
	vanish(t, trash, d, "a1")
	last, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
	if codeOf(err) != undo.CodeUndone || len(last.Irreversible) != 1 || last.Irreversible[0].Reason.Code != "files.not_in_trash" {
		t.Errorf("without B in the trash: %+v, %v", last.Irreversible, err)
	}
}

func TestUndoOfAllGoesOnBesideWhatFails(t *testing.T) {
	a, home, trash := withTrash(t)
	paths := folders(t, home, "A", "B", "C")
	r, _ := deletion(t, a, "delete folders A, B and C in documents")
	d := undone(t, a, r.RunID)
	vanish(t, trash, d, "a1")
	if got := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); got.Draft == nil || got.Draft.State != approval.StateFailed {
		t.Fatalf("draft %+v", got.Draft)
	}
	if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); codeOf(err) != drafts.CodeDraftFailed {
		t.Errorf("approved again: %v", err)
	}
	if !slices.Equal(left(paths), []string{"A", "B"}) {
		t.Errorf("left %v, want A and B", left(paths))
	}
	resumed, err := a.Resume(t.Context(), runs.ResumeRequest{ID: d.RunID}) // goes on as the undo that it is
	if err != nil || resumed.Status != trace.Failed || resumed.Draft != nil {
		t.Errorf("resumed: %s, %+v, %v", resumed.Status, resumed.Draft, err)
	}
	if next, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID); codeOf(err) != undo.CodeUndone || len(next.Irreversible) != 1 {
		t.Errorf("proposed again: %+v, %v; want nothing", next.Irreversible, err)
	}
	if rec, err := a.Record(t.Context(), d.RunID); err != nil || rec.Status != trace.Failed {
		t.Errorf("the undo is %s, %v", rec.Status, err)
	}
}

func TestUndoAfterTheRunWentOn(t *testing.T) {
	for _, apply := range []bool{false, true} {
		a, home, _ := withTrash(t)
		paths := folders(t, home, "A", "B")
		r, d := deletion(t, a, "delete folders A and B in documents", "a1")
		first := undone(t, a, r.RunID)
		want := []string{"B", "A"}
		if apply {
			approved(t, a, runs.ApproveRequest{ID: first.DraftID})
			want = []string{"B"}
		}
		approved(t, a, runs.ApproveRequest{ID: d.DraftID})
		second := undone(t, a, r.RunID)
		if second.DraftID == first.DraftID || !slices.Equal(targets(second), want) {
			t.Fatalf("applied %t: the new draft takes back %v, want %v", apply, targets(second), want)
		}
		old, err := a.ShowDraft(t.Context(), first.DraftID)
		if err != nil || !apply && old.State != approval.StateCancelled {
			t.Errorf("the stale draft is %s, %v", old.State, err)
		}
		if rec, err := a.Record(t.Context(), first.RunID); err != nil || !apply && rec.Status != trace.Cancelled {
			t.Errorf("its run is %s, %v", rec.Status, err)
		}
		if got := approved(t, a, runs.ApproveRequest{ID: second.DraftID}); got.Status != trace.Done || len(left(paths)) != 2 {
			t.Errorf("status %s, left %v, %v", got.Status, left(paths), got.Error)
		}
		if _, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID); codeOf(err) != undo.CodeUndone {
			t.Errorf("all is undone: %v", err)
		}
	}
}

func TestUndoAtOnce(t *testing.T) {
	a, home, _ := withTrash(t)
	folders(t, home, "A", "B")
	r, _ := deletion(t, a, "delete folders A and B in documents")
	apps := []*App{a}
	for range 3 { // as many programs on one data folder
		o := a.o
		other, err := Open(o)
		must.Succeed(t, err)
		defer other.Close()
		apps = append(apps, other)
	}
	ids := make([]string, 2*len(apps))
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			d, err := apps[i%len(apps)].ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
			if err != nil {
				t.Errorf("undo: %v", err)
			}
			ids[i] = d.DraftID
		})
	}
	all.Wait()
	listed, err := a.ListDrafts(t.Context(), false)
	if err != nil || len(listed) != 1 || len(slices.Compact(ids)) != 1 || ids[0] != listed[0].DraftID {
		t.Errorf("answered %v; %d wait, %v", ids, len(listed), err)
	}
}
