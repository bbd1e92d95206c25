package jobs

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/jobs"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// racing is a program whose draft changes while its run is resumed.
type racing struct {
	Program
	state   approval.State // of the draft
	code    string         // of the error of Resume
	resumed *int           // how often Resume was called
}

func (racing) Close() error { return nil }

func (racing) Record(context.Context, string) (trace.Record, error) {
	return trace.Record{Run: trace.Run{RunID: "j", Status: trace.NeedsApproval, DraftID: "d"}}, nil
}

func (r racing) ShowDraft(context.Context, string) (drafts.View, error) {
	return drafts.View{DraftID: "d", State: r.state, ExpiresAt: time.Now().Add(time.Minute)}, nil
}

func (r racing) Resume(context.Context, runs.ResumeRequest) (runs.Report, error) {
	*r.resumed++
	return runs.Report{}, tool.NewError(tool.ExecutionError, r.code, message.Verbatim("raced"))
}

func (racing) CleanError(err error) *tool.Error { return tool.AsError(err) }

// TestMovedDraft checks that a job goes on with a draft that is approved, or that a dead program was
// applying. It does not fail if another program approves or applies the draft at the same time, and fails
// if its run can't go on.
func TestMovedDraft(t *testing.T) {
	for code, want := range map[string]jobs.Status{
		store.CodeDraftMoved: jobs.Running, drafts.CodeDraftApplying: jobs.Running, drafts.CodeRequired: jobs.Running, trace.CodeRunUnderWay: jobs.Running,
		drafts.CodeDraftWithheld: jobs.Failed,
	} {
		for _, state := range []approval.State{approval.StateReady, approval.StateApplying} {
			checkRace(t, racing{state: state, code: code, resumed: new(int)}, want)
		}
	}
}

// TestExpiredDraft checks that a job fails whose draft has expired, and says so.
func TestExpiredDraft(t *testing.T) {
	p := racing{state: approval.StateExpired, resumed: new(int)}
	s := New(Options{Open: func() (Program, error) { return p, nil }, Reader: p, MaxTime: time.Minute, Now: time.Now})
	out, err := s.run(t.Context(), jobs.Job{ID: "j", Type: jobs.AgentRun, Input: json.RawMessage(`{"words":"go"}`)})
	must.Succeed(t, err)
	if o := readOutcome(jobs.Job{Outcome: out.Body}); out.Status != jobs.Failed || o.Error == nil || o.Error.Code != drafts.CodeDraftExpired || *p.resumed != 0 {
		t.Errorf("%s, %+v", out.Status, o)
	}
}

func checkRace(t *testing.T, p racing, want jobs.Status) {
	t.Helper()
	s := New(Options{Open: func() (Program, error) { return p, nil }, Reader: p, MaxTime: time.Minute, Now: time.Now})
	out, err := s.run(t.Context(), jobs.Job{ID: "j", Type: jobs.AgentRun, Input: json.RawMessage(`{"words":"go"}`)})
	must.Succeed(t, err)
	if out.Status != want || want == jobs.Running && time.Until(out.Until) > 2*lookAgain || *p.resumed != 1 {
		t.Errorf("%s, %s: %s until %v, resumed %d times, want %s", p.state, p.code, out.Status, out.Until, *p.resumed, want)
	}
}
