package runs

import (
	"context"
	"slices"
	"testing"

	"errand/app/drafts"
	"errand/build/must"
	"errand/host/run"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// racingStore lets something happen right after a run was read for the first time.
type racingStore struct {
	store.Store
	then func()
}

func (s *racingStore) Record(ctx context.Context, id string) (trace.Record, error) {
	rec, err := s.Store.Record(ctx, id)
	if then := s.then; then != nil {
		s.then = nil
		then()
	}
	return rec, err
}

// startWaiting starts a task that waits for the approval of its only writing call.
func startWaiting(t *testing.T, p *program) Report {
	t.Helper()
	r, err := p.Start(t.Context(), Request{Origin: plan.API, Words: "tidy my notes", Task: &Task{Kind: "script", Limits: run.Limits{MaxSteps: 12}}})
	if err != nil || r.Status != trace.NeedsApproval {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}

// TestResumeWhatAnotherProgramEnded resumes a run that another program approves and ends after it was
// read. It is not run again.
func TestResumeWhatAnotherProgramEnded(t *testing.T) {
	home, seen := t.TempDir(), []string{}
	planner := script{[]string{"note.write", "note.read"}, &seen}
	server, user := open(t, home, planner), open(t, home, planner)
	r := startWaiting(t, server)
	server.store = &racingStore{server.store, func() {
		if done, err := user.Approve(t.Context(), ApproveRequest{ID: r.DraftID}); err != nil || done.Status != trace.Done {
			t.Errorf("%+v, %v", done, err)
		}
	}}
	_, err := server.Resume(t.Context(), ResumeRequest{ID: r.RunID})
	if tool.AsError(err).Code != trace.CodeRunUnderWay {
		t.Errorf("resumed: %v, want %s", err, trace.CodeRunUnderWay)
	}
	rec, err := user.store.Record(t.Context(), r.RunID)
	if err != nil || rec.Status != trace.Done {
		t.Errorf("the run is %s, %v", rec.Status, err)
	}
	if got := slices.Concat(server.calls.names, user.calls.names); !slices.Equal(got, []string{"note.write", "note.read"}) {
		t.Errorf("called %q", got)
	}
}

// TestDraftThatTheRecordDoesNotName resumes a run whose program was killed between the draft and the end
// of its record. The record then says that it waits for the draft.
func TestDraftThatTheRecordDoesNotName(t *testing.T) {
	home, seen := t.TempDir(), []string{}
	planner := script{[]string{"note.write", "note.read"}, &seen}
	killed := open(t, home, planner)
	r := startWaiting(t, killed)
	rec, err := killed.store.Record(t.Context(), r.RunID)
	must.Succeed(t, err)
	rec.Status, rec.State, rec.StopReason, rec.DraftID, rec.Error = trace.Running, trace.StateExecuteTool, "", "", nil
	must.Succeed(t, killed.store.End(t.Context(), rec.Run))
	must.Succeed(t, killed.store.Close())
	other := open(t, home, planner)
	if rec, err := other.store.Record(t.Context(), r.RunID); err != nil || rec.Status != trace.Interrupted {
		t.Fatalf("the run of a killed program is %s, %v", rec.Status, err)
	}
	report, err := other.Resume(t.Context(), ResumeRequest{ID: r.RunID})
	if err != nil || report.Status != trace.NeedsApproval || report.DraftID != r.DraftID || report.Error.Code != drafts.CodeAwaiting {
		t.Fatalf("resumed: %+v, %v", report, err)
	}
	rec, err = other.store.Record(t.Context(), r.RunID)
	if err != nil || rec.Status != trace.NeedsApproval || rec.DraftID != r.DraftID || rec.StopReason != trace.StopAwaitingApproval {
		t.Errorf("recorded: %+v, %v", rec.Run, err)
	}
	if done, err := other.Approve(t.Context(), ApproveRequest{ID: r.DraftID}); err != nil || done.Status != trace.Done {
		t.Errorf("approved: %+v, %v", done, err)
	}
}
