package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"errand/app/agent"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/jobs"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// CodeTimeout is the code of a job that took too long.
const CodeTimeout = "job_timeout"

const (
	lookAgain  = time.Second // for a run under way in another program
	lookEffect = time.Minute // for one that waits for the user and has no draft
	endTimeout = 10 * time.Second
)

// errTimeUp ends the context of a job that took too long.
var errTimeUp = errors.New("job_timeout")

// run makes an attempt of a job: it starts the run, or goes on with it as its record says.
func (s *Service) run(ctx context.Context, j jobs.Job) (jobs.Outcome, error) {
	p, err := s.o.Open()
	if err != nil {
		return s.refused(j, err)
	}
	defer func() { _ = p.Close() }()
	s.states.begin(j.ID, readOutcome(j).Transitions)
	defer s.states.end(j.ID)
	rec, err := p.Record(ctx, j.ID)
	switch {
	case isNoRun(err) && j.CancelRequested:
		return s.keep(j, jobs.Cancelled, Outcome{}, time.Time{}), nil
	case isNoRun(err):
		return s.carryOut(ctx, p, j, 0, func(ctx context.Context) error { return s.start(ctx, p, j) })
	case err != nil:
		return jobs.Outcome{}, err
	case j.CancelRequested && rec.Status == trace.NeedsApproval && rec.DraftID != "":
		_, err := p.Reject(ctx, rec.DraftID)
		if e := tool.AsError(err); err != nil && e.Code != drafts.CodeDraftCancelled && e.Code != drafts.CodeDraftExpired {
			return jobs.Outcome{}, err // such as one that is being applied: the next attempt sees the result
		}
		return s.keep(j, jobs.Cancelled, outcomeOf(rec), time.Time{}), nil
	case j.CancelRequested && (rec.Status == trace.NeedsApproval || rec.Status == trace.Interrupted):
		return s.keep(j, jobs.Cancelled, outcomeOf(rec), time.Time{}), nil
	}
	return s.goOn(ctx, p, j, rec, true)
}

// listen notes the states of a run.
func (s *Service) listen(id string) func(trace.RunState) {
	return func(state trace.RunState) { s.states.add(id, state, s.o.Now()) }
}

// start starts the run of a job.
func (s *Service) start(ctx context.Context, p Program, j jobs.Job) error {
	var in Input
	if err := json.Unmarshal(j.Input, &in); err != nil {
		return tool.NewError(tool.ExecutionError, "bad_input", message.FromError(err))
	}
	r := runs.Request{Origin: plan.API, RunID: j.ID, Words: in.Words, States: s.listen(j.ID)}
	var err error
	if j.Type == jobs.AgentRun {
		_, err = p.Ask(ctx, r, in.taskOptions())
	} else {
		_, err = p.Start(ctx, r)
	}
	return err
}

// taskOptions are the limits of the task of a language model.
func (in Input) taskOptions() agent.TaskOptions {
	return agent.TaskOptions{Tools: in.Tools, MaxSteps: in.MaxSteps, MaxURLs: in.MaxURLs, Domains: in.Domains, NoBrowser: in.NoBrowser, NoPictures: in.NoPictures}
}

// carryOut lets a run go on as long as the job may take, and returns the outcome by its record.
func (s *Service) carryOut(ctx context.Context, p Program, j jobs.Job, took time.Duration, do func(context.Context) error) (jobs.Outcome, error) {
	var in Input
	_ = json.Unmarshal(j.Input, &in) // start reports the error
	limit := s.o.MaxTime
	if in.MaxWallTimeMS > 0 {
		limit = min(limit, time.Duration(in.MaxWallTimeMS)*time.Millisecond)
	}
	limited, cancel := context.WithTimeoutCause(ctx, max(limit-took, time.Millisecond), errTimeUp)
	defer cancel()
	doErr := do(limited)
	isLate := errors.Is(context.Cause(limited), errTimeUp)
	read, end := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer end()
	rec, err := p.Record(read, j.ID)
	if isNoRun(err) && doErr != nil && ctx.Err() == nil {
		return s.refused(j, doErr)
	}
	if err != nil && !isNoRun(err) {
		return jobs.Outcome{}, err
	}
	if isNoRun(err) || rec.Status == trace.Interrupted {
		return s.interrupted(read, j, rec, isLate, doErr)
	}
	if e := tool.AsError(doErr); doErr != nil && rec.Status != trace.Running && !isWaiting(e) {
		if rec.Status == trace.NeedsApproval { // nothing was recorded of this attempt
			switch {
			case limited.Err() != nil:
				return s.interrupted(read, j, rec, isLate, doErr)
			case e.Retriable || e.Class == tool.ExecutionError:
				return jobs.Outcome{}, doErr
			}
		}
		out := outcomeOf(rec)
		out.Error = p.CleanError(doErr)
		return s.keep(j, jobs.Failed, out, time.Time{}), nil
	}
	return s.goOn(read, p, j, rec, false)
}

// isWaiting reports whether an error says that a run goes on elsewhere, or waits. If another program
// approves, edits or applies its draft meanwhile, the draft says what comes next.
func isWaiting(e *tool.Error) bool {
	switch e.Code {
	case trace.CodeRunUnderWay, runs.CodeRunDone, drafts.CodeAwaiting, drafts.CodeDraftApplying, drafts.CodeRequired, store.CodeDraftMoved:
		return true
	}
	return false
}

// interrupted is the outcome of a run that was interrupted: the job was cancelled, took too long, or
// this program ends, so that it goes on later.
func (s *Service) interrupted(ctx context.Context, j jobs.Job, rec trace.Record, isLate bool, err error) (jobs.Outcome, error) {
	now, readErr := s.o.Queue.Job(ctx, j.ID)
	if readErr != nil {
		return jobs.Outcome{}, readErr
	}
	out := Outcome{}
	if rec.RunID != "" {
		out = outcomeOf(rec)
	}
	switch {
	case now.CancelRequested:
		return s.keep(j, jobs.Cancelled, out, time.Time{}), nil
	case isLate:
		out.StopReason = trace.StopMaxWallTime
		out.Error = tool.NewError(tool.ToolTimeout, CodeTimeout, message.New("jobs.took_too_long", "job", j.ID))
		return s.keep(j, jobs.Failed, out, time.Time{}), nil
	case err == nil:
		err = context.Canceled
	}
	return jobs.Outcome{}, err
}

// refused is the outcome of a job whose run can't begin: at once, if another attempt can't help.
func (s *Service) refused(j jobs.Job, err error) (jobs.Outcome, error) {
	e := s.o.Reader.CleanError(err)
	if e.Retriable || e.Class == tool.ExecutionError {
		return jobs.Outcome{}, err
	}
	return s.keep(j, jobs.Failed, Outcome{Error: e}, time.Time{}), nil
}
