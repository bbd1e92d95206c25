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
	steps   []trace.Step
	ended   error // the error of Resume, if code is empty
}

func (racing) Close() error { return nil }

func (r racing) Record(context.Context, string) (trace.Record, error) {
	draft := "d"
	if r.steps != nil {
		draft = ""
	}
	return trace.Record{Run: trace.Run{RunID: "j", Status: trace.NeedsApproval, StopReason: trace.StopAwaitingApproval, DraftID: draft}, Steps: r.steps}, nil
}

func (r racing) ShowDraft(context.Context, string) (drafts.View, error) {
	return drafts.View{DraftID: "d", State: r.state, ExpiresAt: time.Now().Add(time.Minute)}, nil
}

func (r racing) Resume(context.Context, runs.ResumeRequest) (runs.Report, error) {
	*r.resumed++
	if r.code == "" {
		return runs.Report{}, r.ended
	}
	return runs.Report{}, tool.NewError(tool.ValidationError, r.code, message.Verbatim("raced"))
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
		for _, state := range []approval.State{approval.StateReady, approval.StateApplying, approval.StateApplied} {
			checkRace(t, racing{state: state, code: code, resumed: new(int)}, want)
		}
	}
}

// attempt makes an attempt of a job whose run waits.
func attempt(ctx context.Context, p racing) (jobs.Outcome, error) {
	s := New(Options{Open: func() (Program, error) { return p, nil }, Reader: p, MaxTime: time.Minute, Now: time.Now, Queue: noQueue{}})
	return s.run(ctx, jobs.Job{ID: "j", Type: jobs.AgentRun, Input: json.RawMessage(`{"words":"go"}`)})
}

// noQueue is a queue with a job that nobody cancels.
type noQueue struct{ jobs.Queue }

func (noQueue) Job(context.Context, string) (jobs.Job, error) { return jobs.Job{ID: "j"}, nil }

// TestFailedDraft checks that a job whose draft fails after its record was read waits for the record.
func TestFailedDraft(t *testing.T) {
	out, err := attempt(t.Context(), racing{state: approval.StateFailed, resumed: new(int)})
	if err != nil || out.Status != jobs.Running {
		t.Errorf("%s, %v, want %s", out.Status, err, jobs.Running)
	}
}

// TestStoppedWhileResuming checks that a job goes on later whose run could not be resumed because the
// program ends, or for a reason that passes. It does not fail because its run still waits.
func TestStoppedWhileResuming(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	busy := tool.NewError(tool.ToolUnavailable, "store_busy", message.Verbatim("busy"))
	busy.Retriable = true
	for name, tt := range map[string]struct {
		ctx context.Context
		err error
	}{
		"the program ends":   {stopped, context.Canceled},
		"the record is busy": {t.Context(), busy},
		"an unknown reason":  {t.Context(), message.Error("test.odd")},
	} {
		out, err := attempt(tt.ctx, racing{state: approval.StateReady, resumed: new(int), ended: tt.err})
		if err == nil {
			t.Errorf("%s: the job is %s, want another attempt", name, out.Status)
		}
	}
}

// TestAnsweredEffect checks that a job waits until the user has told whether a call had its effect, and
// then goes on, also if the user does not resume its run.
func TestAnsweredEffect(t *testing.T) {
	unknown := trace.Step{StepID: "a1", Status: trace.Failed, EffectKey: "k", Effect: tool.Unknown}
	answered := trace.Step{StepID: "a1", Status: trace.Interrupted, EffectKey: "k", Effect: tool.Released}
	other := trace.Step{StepID: "a2", Status: trace.NeedsApproval}
	for name, tt := range map[string]struct {
		steps   []trace.Step
		want    jobs.Status
		resumed int
	}{
		"not answered":        {[]trace.Step{unknown, other}, jobs.Waiting, 0},
		"answered":            {[]trace.Step{unknown, other, answered}, jobs.Failed, 1},
		"answered and called": {[]trace.Step{unknown, answered, {StepID: "a1", Status: trace.Done, EffectKey: "k", Effect: tool.Committed}, other}, jobs.Failed, 0},
		"nothing was asked":   {[]trace.Step{other}, jobs.Failed, 0},
	} {
		p := racing{resumed: new(int), steps: tt.steps}
		out, err := attempt(t.Context(), p)
		if err != nil || out.Status != tt.want || *p.resumed != tt.resumed {
			t.Errorf("%s: %s after %d resumptions, %v; want %s after %d", name, out.Status, *p.resumed, err, tt.want, tt.resumed)
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
