package run

import (
	"context"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// EngineOptions are how an [Engine] works.
type EngineOptions struct {
	// Parallel is how many calls that don't depend on one another run at once.
	// 0: one.
	Parallel int
	// Progress is told what happens, in order, in a goroutine of its own. A slow
	// listener misses nothing but heartbeats and holds up nothing but its own
	// later events. A run waits for it for up to a second at the end.
	Progress func(Event)
	// Heartbeat is how often Progress is told that a call is still under way.
	// 0: 5 s.
	Heartbeat time.Duration
}

// Engine carries plans and tasks out through a [Dispatcher]. It may be used by
// several goroutines at once, each with a run of its own.
type Engine struct {
	d *Dispatcher
	o EngineOptions
}

// NewEngine makes an engine. It owns nothing; the dispatcher stays the
// caller's to close.
func NewEngine(d *Dispatcher, o EngineOptions) *Engine {
	o.Parallel = max(o.Parallel, 1)
	if o.Heartbeat <= 0 {
		o.Heartbeat = 5 * time.Second
	}
	return &Engine{d, o}
}

// Outcome is what came of a run, or of a stretch of it.
type Outcome struct {
	// Status is done, failed, denied (by policy or a person), needs_approval
	// (nothing was run and somebody has to be asked) or interrupted.
	Status     trace.Status
	State      trace.RunState   // STOP, or ERROR where a fault ended it
	StopReason trace.StopReason // completed only with Status done
	Steps      []trace.Step     // in the order of the calls, as recorded
	World      plan.World       // after the last call
	Error      *tool.Error      // the first one that explains Status; nil when done
	Response   string           // the words that ended a task
	Pending    []ToolCall       // the calls that a task waits for the approval of
	Turn       int              // how often the planner was asked, with the turns of earlier attempts

	Payloads map[string]any // by call id, of the calls that worked; not redacted, quarantined where others wrote it
	Warnings []*tool.Error  // faults beside the calls: a record that could not be written
}

// RunRequest is a plan to carry out.
type RunRequest struct {
	RunID string
	Plan  plan.Plan
	World plan.World
	Only  []string // ids of the actions that are approved; nil: all
	// Prepared are the verdicts of [Dispatcher.Preview] about the plan as of now: no
	// action is judged again before its own call. Nil: all are judged first.
	Prepared []Verdict
	Done     map[string]trace.Step // those of earlier stretches that are done: not made again, and what depends on them goes on
}

// Run carries out a plan, or what is left of it. First all of it is judged, and
// a person asked about what needs it: a plan with an action that is wrong,
// denied or not approved runs nothing. Then independent actions run side by
// side, and an action whose dependency did not succeed is skipped, while others
// go on. The world changes only by what actions report after they have acted.
func (e *Engine) Run(ctx context.Context, r RunRequest) Outcome {
	if r.Plan.IsZero() {
		return r.refused("no_plan", "there is no plan to carry out")
	}
	actions := slices.DeleteFunc(r.Plan.Actions(), func(a plan.Action) bool {
		return r.Only != nil && !slices.Contains(r.Only, a.ActionID)
	})
	if len(actions) == 0 { // a run that did nothing has not completed anything
		return r.refused("not_proposed", "the plan has none of the actions that were approved")
	}
	actions = slices.DeleteFunc(actions, func(a plan.Action) bool { return r.Done[a.ActionID].Status == trace.Done })
	return e.run(ctx, Task{
		RunID: r.RunID, Origin: r.Plan.Origin(), Planner: planned{actions}, World: r.World, Done: r.Done, prepared: r.Prepared,
	}, len(actions))
}

// refused is what comes of a request that can't be carried out.
func (r RunRequest) refused(code, why string) Outcome {
	return Outcome{
		Status: trace.Failed, State: trace.StateError, StopReason: trace.StopError,
		World: r.World, Steps: []trace.Step{}, Payloads: map[string]any{},
		Error: tool.Errorf(tool.ValidationError, code, "%s", why),
	}
}

// outcome weighs the steps. The person's interruption explains everything after
// it; then what policy stopped; then failures.
func (rc *RunContext) outcome(ctx context.Context) Outcome {
	o := Outcome{
		Status: trace.Done, StopReason: rc.stop, Steps: rc.Steps, World: rc.World,
		Payloads: rc.payloads, Warnings: rc.warnings, Response: rc.response, Error: rc.fault, Turn: rc.Turn,
	}
	if rc.State != trace.StateError {
		rc.enter(trace.StateStop)
	}
	o.State = rc.State
	if rc.responded { // a task may have failed on its way
		return o
	}
	o.Status = trace.Failed
	if o.Error == nil {
		o.Error = stopped(rc.stop)
	}
	for _, s := range []trace.Status{trace.Interrupted, trace.Denied, trace.NeedsApproval, trace.Failed, trace.Skipped} {
		if s == trace.Denied && rc.onDenied || s == trace.NeedsApproval && rc.onPending { // the planner got it as a result
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
	if o.Status == trace.Skipped { // nothing failed and yet something was skipped: the run ended between two steps
		o.Status = trace.Failed
	}
	if ctx.Err() == context.Canceled && o.Status == trace.Failed && rc.stop == trace.StopInterrupted {
		o.Status = trace.Interrupted
	}
	return o
}

// stopped is the error of a run that a limit ended.
func stopped(why trace.StopReason) *tool.Error {
	switch why {
	case trace.StopMaxSteps:
		return tool.Errorf(tool.ExecutionError, string(why), "the run was ended: it took as many steps as it may")
	case trace.StopMaxWallTime:
		return tool.Errorf(tool.ToolTimeout, string(why), "the run was ended: it took as long as it may")
	case trace.StopMaxFailures:
		return tool.Errorf(tool.ExecutionError, string(why), "the run was ended: too many of its steps failed")
	case trace.StopNoOpLoop:
		return tool.Errorf(tool.ExecutionError, string(why), "the run was ended: it got no further")
	case trace.StopInterrupted:
		return tool.Errorf(tool.ExecutionError, string(why), "the run was interrupted")
	}
	return tool.Errorf(tool.ExecutionError, "failed", "the run failed")
}
