package app

import (
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/policy/approval"
)

// another is a program of its own over the same folders. Closed, it has died: its
// locks go as they would with the process.
func another(t *testing.T, a *App) *App {
	t.Helper()
	b, err := Open(Options{Config: a.o.Config})
	must.Succeed(t, err)
	return b
}

// takes has a program begin to carry a draft out, as it was at some time and
// whatever it is by now.
func takes(t *testing.T, a *App, was drafts.Draft, answer drafts.Answer, change func(*approval.Approval)) {
	t.Helper()
	s, now, err := a.Drafts.Load(t.Context(), was.ID)
	must.Succeed(t, err)
	ready, err := a.MarkReady(was, answer, "ann", time.Time{})
	must.Succeed(t, err)
	begun, err := a.Begin(ready)
	must.Succeed(t, err)
	if change != nil {
		change(begun.Draft.Approval)
	}
	if _, err := a.Swap(t.Context(), s, now, begun); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, s.Resume(t.Context(), tracetest.ReadRun(s, was.RunID)))
}

// TestDiedAfterTheLastEffect: the program died when all that was approved was
// done, and the draft did not say so yet. Taking it up calls nothing, least of
// all what nobody approved.
func TestDiedAfterTheLastEffect(t *testing.T) {
	tests := []struct {
		name    string
		approve []string // of a1 and a2; none: both
		want    trace.Status
		state   approval.State
		left    bool // the second folder
	}{
		{"all of it", nil, trace.Done, approval.StateApplied, false},
		{"a part of it", []string{"a1"}, trace.NeedsApproval, approval.StateDraft, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			paths := folders(t, home, "A", "B")
			_, d := waitingDraft(t, a, "delete folders A and B in documents")
			dead := another(t, a)
			_, was, err := dead.Load(t.Context(), d.DraftID)
			must.Succeed(t, err)
			r := approved(t, dead, runs.ApproveRequest{ID: d.DraftID, Actions: tt.approve})
			takes(t, dead, was, drafts.Answer{Yes: true, Actions: tt.approve}, nil) // as it was before it was settled
			must.Succeed(t, dead.Close())
			again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
			if err != nil || again.Status != tt.want {
				t.Fatalf("resumed: %s, %v, %v; want %s", again.Status, again.Error, err, tt.want)
			}
			if there(paths[0]) || there(paths[1]) != tt.left {
				t.Errorf("after it the folders are there: %t, %t", there(paths[0]), there(paths[1]))
			}
			if d, err := a.ShowDraft(t.Context(), d.DraftID); err != nil || d.State != tt.state {
				t.Errorf("draft %s, %v; want %s", d.State, err, tt.state)
			}
		})
	}
}

// TestEditRefusesBrokenText: what is shown must be what is done.
func TestEditRefusesBrokenText(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old")
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	_, err := a.Edit(t.Context(), drafts.EditRequest{ID: d.DraftID, Action: "a1", Set: map[string]any{"path": paths[0] + "\xff"}})
	if codeOf(err) != "not_utf8" {
		t.Errorf("a path that is no UTF-8: %v", err)
	}
}

// TestAForgedApprovalIsAskedAgain: an approval in the record that lasts longer
// than any that is given.
func TestAForgedApprovalIsAskedAgain(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old")
	r, d := waitingDraft(t, a, "delete folder Old in documents")
	dead := another(t, a)
	_, was, err := dead.Load(t.Context(), d.DraftID)
	must.Succeed(t, err)
	takes(t, dead, was, drafts.Answer{Yes: true}, func(y *approval.Approval) { y.Until = y.At.AddDate(70, 0, 0) })
	must.Succeed(t, dead.Close())
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
	if err != nil || again.Status != trace.NeedsApproval || !there(paths[0]) {
		t.Errorf("resumed: %s, folder there %t, %v", again.Status, there(paths[0]), err)
	}
}
