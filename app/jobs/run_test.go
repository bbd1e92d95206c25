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
	code string // of the error of Resume
}

func (racing) Close() error { return nil }

func (racing) Record(context.Context, string) (trace.Record, error) {
	return trace.Record{Run: trace.Run{RunID: "j", Status: trace.NeedsApproval, DraftID: "d"}}, nil
}

func (racing) ShowDraft(context.Context, string) (drafts.View, error) {
	return drafts.View{DraftID: "d", State: approval.StateReady, ExpiresAt: time.Now().Add(time.Minute)}, nil
}

func (r racing) Resume(context.Context, runs.ResumeRequest) (runs.Report, error) {
	return runs.Report{}, tool.NewError(tool.ExecutionError, r.code, message.Verbatim("raced"))
}

func (racing) CleanError(err error) *tool.Error { return tool.AsError(err) }

// TestMovedDraft checks that a job does not fail if another program approves or applies its draft at the
// same time, and that it fails if its run can't go on.
func TestMovedDraft(t *testing.T) {
	for code, want := range map[string]jobs.Status{
		store.CodeDraftMoved: jobs.Running, drafts.CodeDraftApplying: jobs.Running, drafts.CodeRequired: jobs.Running, trace.CodeRunUnderWay: jobs.Running,
		drafts.CodeDraftWithheld: jobs.Failed,
	} {
		p := racing{code: code}
		s := New(Options{Open: func() (Program, error) { return p, nil }, Reader: p, MaxTime: time.Minute, Now: time.Now})
		out, err := s.run(t.Context(), jobs.Job{ID: "j", Type: jobs.AgentRun, Input: json.RawMessage(`{"words":"go"}`)})
		must.Succeed(t, err)
		if out.Status != want || want == jobs.Running && time.Until(out.Until) > 2*lookAgain {
			t.Errorf("%s: %s until %v, want %s", code, out.Status, out.Until, want)
		}
	}
}
