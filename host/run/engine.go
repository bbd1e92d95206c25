package run

import (
	"context"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// EngineOptions configure an [Engine].
type EngineOptions struct {
	// Parallel is how many independent calls may run at the same time. 0 means one.
	Parallel int
	// Progress receives events in order, in its own goroutine. A slow listener
	// delays only its own events and misses only heartbeats. A run waits for it up
	// to one second at the end.
	Progress func(Event)
	// Heartbeat is the interval of events about a running call. 0 means 5 s.
	Heartbeat time.Duration
}

// Engine executes plans and tasks through a [Dispatcher]. It is safe for
// concurrent use; each call of Run or RunTask needs its own run.
type Engine struct {
	d *Dispatcher
	o EngineOptions
}

// NewEngine returns an engine. The caller still owns d and closes it.
func NewEngine(d *Dispatcher, o EngineOptions) *Engine {
	o.Parallel = max(o.Parallel, 1)
	if o.Heartbeat <= 0 {
		o.Heartbeat = 5 * time.Second
	}
	return &Engine{d, o}
}

// Outcome is the result of a run or of one attempt of it.
type Outcome struct {
	// Status is done, failed, denied (by policy or the user), needs_approval (no
	// action ran because approval is missing) or interrupted.
	Status     trace.Status
	State      trace.RunState   // STOP, or ERROR if an error ended the run
	StopReason trace.StopReason // completed only with Status done
	Steps      []trace.Step     // in the order of the calls, as recorded
	World      plan.World       // after the last call
	Error      *tool.Error      // the first error that explains Status; nil if done
	Response   string           // the planner's final text for a task
	Pending    []plan.Action    // the calls of a task that need approval
	Turn       int              // how often the planner was asked, including earlier attempts

	Payloads map[string]any // payloads of successful calls by call id; not redacted; untrusted content is quarantined
	Warnings []*tool.Error  // errors outside the calls, such as a failed write to the record
}

// RunRequest is a plan to execute.
type RunRequest struct {
	RunID    string
	Prepared Prepared // current verdicts of [Dispatcher.Prepare] for the plan
	World    plan.World
	Only     []string              // ids of the approved actions; nil means all
	Done     map[string]trace.Step // completed steps of earlier attempts; they are not repeated and their dependants may run
}

// Run executes a prepared plan or the rest of it. It first requests the approvals that
// are missing. If an action is invalid, denied or not approved, no action runs.
// Independent actions then run in parallel; each is evaluated again right before its
// call. An action is skipped if one that it depends on did not succeed; others go on.
// Only reports of completed actions change the world.
func (e *Engine) Run(ctx context.Context, r RunRequest) Outcome {
	p := r.Prepared.Plan
	if p.IsZero() {
		return r.refusal("no_plan", message.New("run.no_plan"))
	}
	actions := slices.DeleteFunc(p.Actions(), func(a plan.Action) bool {
		return r.Only != nil && !slices.Contains(r.Only, a.ActionID)
	})
	if len(actions) == 0 { // an empty plan is not a completed run
		return r.refusal("not_proposed", message.New("run.not_proposed"))
	}
	actions = slices.DeleteFunc(actions, func(a plan.Action) bool { return r.Done[a.ActionID].Status == trace.Done })
	return e.run(ctx, Task{
		RunID: r.RunID, Origin: p.Origin(), Planner: fixedPlanner{actions}, World: r.World, Done: r.Done, prepared: r.Prepared.Verdicts,
	}, len(actions))
}

// refusal returns the outcome of a request that can't be executed.
func (r RunRequest) refusal(code string, why message.Message) Outcome {
	return Outcome{
		Status: trace.Failed, State: trace.StateError, StopReason: trace.StopError,
		World: r.World, Steps: []trace.Step{}, Payloads: map[string]any{},
		Error: tool.NewError(tool.ValidationError, code, why),
	}
}

// outcome derives the result from the steps. An interruption by the user comes
// first, then denials and missing approvals, then failures.
func (rc *RunContext) outcome(ctx context.Context) Outcome {
	o := Outcome{
		Status: trace.Done, StopReason: rc.stop, Steps: rc.Steps, World: rc.World,
		Payloads: rc.payloads, Warnings: rc.warnings, Response: rc.response, Error: rc.err, Turn: rc.Turn,
	}
	if rc.State != trace.StateError {
		rc.enter(trace.StateStop)
	}
	o.State = rc.State
	if rc.responded { // a task may succeed although a step failed
		return o
	}
	o.Status = trace.Failed
	if o.Error == nil {
		o.Error = stopError(rc.stop)
	}
	for _, s := range []trace.Status{trace.Interrupted, trace.Denied, trace.NeedsApproval, trace.Failed, trace.Skipped} {
		if s == trace.Denied && rc.onDenied || s == trace.NeedsApproval && rc.onPending { // the planner received it as a result
			continue
		}
		if s != trace.Interrupted && rc.stop == trace.StopMaxSteps && rc.exceedsSteps() { // the last calls are too many
			continue
		}
		i := slices.IndexFunc(rc.Steps, func(step trace.Step) bool { return step.Status == s })
		if i < 0 {
			continue
		}
		o.Status, o.Error = s, rc.Steps[i].Error
		break
	}
	if o.Status == trace.NeedsApproval {
		o.Pending = rc.pending
	}
	if o.Status == trace.Skipped { // skipped without a failure: the run ended between two steps
		o.Status = trace.Failed
	}
	if ctx.Err() == context.Canceled && o.Status == trace.Failed && rc.stop == trace.StopInterrupted {
		o.Status = trace.Interrupted
	}
	return o
}

// stopError returns the error of a run that reached a limit.
func stopError(why trace.StopReason) *tool.Error {
	switch why {
	case trace.StopMaxSteps:
		return tool.NewError(tool.ExecutionError, string(why), message.New("run.max_steps"))
	case trace.StopMaxWallTime:
		return tool.NewError(tool.ToolTimeout, string(why), message.New("run.max_wall_time"))
	case trace.StopMaxFailures:
		return tool.NewError(tool.ExecutionError, string(why), message.New("run.max_failures"))
	case trace.StopNoOpLoop:
		return tool.NewError(tool.ExecutionError, string(why), message.New("run.no_progress"))
	case trace.StopInterrupted:
		return tool.NewError(tool.ExecutionError, string(why), message.New("run.interrupted"))
	}
	return tool.NewError(tool.ExecutionError, "failed", message.New("run.failed"))
}
