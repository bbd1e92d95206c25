package run

import (
	"context"
	"errors"
	"slices"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// RunTask asks the planner, executes its answer and asks again. The run ends when
// the planner responds, or when a limit, policy, the user or an error stops it. It
// checks the limits before each question and before and after each call.
//
// The run must have begun in the log; RunTask neither begins nor ends it. When ctx
// ends, RunTask returns as soon as the running calls have ended or their grace is
// over.
func (e *Engine) RunTask(ctx context.Context, t Task) Outcome {
	return e.run(ctx, t, 0)
}

func (e *Engine) run(ctx context.Context, t Task, total int) Outcome {
	rc := e.newContext(t, total)
	defer func() { rc.progress.close(rc.stop) }()
	rc.enter(trace.StateInit)
	if t.Planner == nil {
		rc.fail(tool.NewError(tool.ValidationError, "no_planner", message.New("run.no_planner")))
		return rc.outcome(ctx)
	}
	limited, cancel := t.Limits.withTimeout(ctx)
	defer cancel()
	for rc.stop == "" {
		if rc.stop = rc.limit(limited); rc.stop != "" {
			break
		}
		rc.enter(trace.StatePlan)
		rc.Turn++
		action, err := e.askPlanner(limited, t.Planner, rc)
		if err != nil {
			rc.failPlan(limited, err)
			break
		}
		if rc.stop = rc.limit(limited); rc.stop != "" && action.Respond == nil {
			break // the deadline passed
		}
		rc.stop = ""
		e.Step(limited, rc, action)
	}
	return rc.outcome(ctx)
}

// askPlanner asks the planner. The planner gets a copy of the run's context, so a late
// planner can't see later changes. Untrusted content is in its quarantined form.
func (e *Engine) askPlanner(ctx context.Context, p Planner, rc *RunContext) (AssistantAction, error) {
	seen := *rc
	seen.Steps = make([]trace.Step, len(rc.Steps))
	for i, s := range rc.Steps {
		seen.Steps[i] = plannerView(s)
	}
	seen.Done = make(map[string]trace.Step, len(rc.Done))
	for id, s := range rc.Done {
		seen.Done[id] = plannerView(s)
	}
	a := callWithDeadline(ctx, ctx, e.d, runningCall{name: "planner"}, func() (AssistantAction, error) { return p.Plan(ctx, &seen) })
	return a.value, a.err
}

func (e *Engine) newContext(t Task, total int) *RunContext {
	return &RunContext{
		RunID: t.RunID, Origin: t.Origin, World: t.World, Limits: t.Limits, Done: t.Done, Steps: []trace.Step{},
		payloads: map[string]any{}, total: total, progress: newProgress(e.o.Progress),
		Results: t.Results, Turn: t.Turn, earlierCalls: t.EarlierCalls, failures: t.EarlierFailures, onDenied: t.ContinueDenied, onPending: t.ContinuePending, prepared: t.prepared, planner: t.Planner,
	}
}

func (l Limits) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.MaxWallTime <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, l.MaxWallTime)
}

// Step executes one answer of a planner and reports whether the run goes on.
func (e *Engine) Step(ctx context.Context, rc *RunContext, action AssistantAction) StepResult {
	rc.Results = nil
	switch {
	case len(action.Calls) > 0:
		rc.enter(trace.StateExecuteTool)
		if fault := e.executeCalls(ctx, rc, action); fault != nil {
			rc.fail(fault)
			break
		}
		rc.enter(trace.StateObserve)
		rc.observe(ctx, action)
	case action.Respond != nil:
		rc.enter(trace.StateRespond)
		rc.response, rc.responded = *action.Respond, true
		rc.stop = trace.StopCompleted
	default:
		rc.countNoOp("")
	}
	return StepResult{State: rc.State, Stop: rc.stop, Results: rc.Results}
}

// observe evaluates the results of the calls.
func (rc *RunContext) observe(ctx context.Context, action AssistantAction) {
	for _, r := range rc.Results {
		switch {
		case r.Status == trace.Interrupted && ctx.Err() == context.Canceled:
			rc.stop = trace.StopInterrupted
		case rc.stop != "":
		case r.Status == trace.Denied && !rc.onDenied:
			rc.stop = trace.StopPolicyDenied
		case r.Status == trace.NeedsApproval && !rc.onPending && rc.exceedsSteps():
			rc.stop = trace.StopMaxSteps
		case r.Status == trace.NeedsApproval && !rc.onPending:
			rc.stop, rc.pending = trace.StopAwaitingApproval, action.Calls
		}
	}
	if rc.stop == "" {
		rc.countNoOp(signature(action, rc.Results))
	}
	rc.isExecuted = rc.total > 0 && !slices.ContainsFunc(rc.Results, func(r ToolResult) bool { return !r.OK })
	if rc.stop == "" {
		rc.stop = rc.limit(ctx)
	}
}

// exceedsSteps reports whether the calls so far, made or waiting, are more than the limit allows.
func (rc *RunContext) exceedsSteps() bool {
	return rc.Limits.MaxSteps > 0 && rc.earlierCalls+len(rc.Steps) > rc.Limits.MaxSteps
}

// countNoOp counts answers without progress: those that do nothing and those that
// repeat a call with the same result. did is the signature of the current answer.
func (rc *RunContext) countNoOp(current string) {
	if current == rc.lastAnswer {
		rc.noOps++
	} else {
		rc.noOps = 1
	}
	rc.lastAnswer = current
	if rc.Limits.MaxNoOps > 0 && rc.noOps >= rc.Limits.MaxNoOps {
		rc.stop = trace.StopNoOpLoop
	}
}

// signature identifies an answer and its results, without ids and times.
func signature(action AssistantAction, results []ToolResult) string {
	type current struct {
		Name    string
		Args    string
		OK      bool
		Code    string
		Payload any
	}
	var all []current
	for i, c := range action.Calls {
		d := current{Name: c.Tool, Args: tool.HashArgs(c.Args)}
		if i < len(results) {
			d.OK, d.Code, d.Payload = results[i].OK, results[i].ErrorCode, results[i].Payload
		}
		all = append(all, d)
	}
	return tool.HashArgs(map[string]any{"calls": all})
}

// reachedLimit returns the limit that was reached, or "".
func (rc *RunContext) limit(ctx context.Context) trace.StopReason {
	switch {
	case rc.isExecuted:
		return ""
	case ctx.Err() == context.DeadlineExceeded:
		return trace.StopMaxWallTime
	case ctx.Err() != nil:
		return trace.StopInterrupted
	case rc.Limits.MaxSteps > 0 && rc.earlierCalls+len(rc.Steps) >= rc.Limits.MaxSteps:
		return trace.StopMaxSteps
	case rc.Limits.MaxFailures > 0 && rc.failures >= rc.Limits.MaxFailures:
		return trace.StopMaxFailures
	}
	return ""
}

// failPlan ends a run whose planner returned an error.
func (rc *RunContext) failPlan(ctx context.Context, err error) {
	if reason := rc.limit(ctx); ctx.Err() != nil {
		rc.stop = reason
		return
	}
	var typed *tool.Error
	if !errors.As(err, &typed) {
		typed = tool.NewError(tool.ExecutionError, "planner_failed", message.New("run.planner_failed", "cause", err))
	}
	rc.fail(typed)
}

func (rc *RunContext) fail(e *tool.Error) {
	rc.err, rc.stop = e, trace.StopError
	rc.enter(trace.StateError)
}

// enter changes the run's state and reports it.
func (rc *RunContext) enter(s trace.RunState) {
	rc.State = s
	rc.progress.send(Event{Kind: StateEntered, RunID: rc.RunID, State: s, Total: rc.total})
}

// fixedPlanner is a planner that returns all actions of a fixed plan at once and then responds.
type fixedPlanner struct {
	actions []plan.Action
}

func (p fixedPlanner) Plan(_ context.Context, rc *RunContext) (AssistantAction, error) {
	if rc.Turn == 1 && len(p.actions) > 0 {
		return ToolCalls(p.actions...), nil
	}
	for _, r := range rc.Results {
		if !r.OK && r.Status != trace.Skipped {
			return AssistantAction{}, r.Error
		}
	}
	for _, r := range rc.Results {
		if !r.OK {
			return AssistantAction{}, r.Error
		}
	}
	return Respond(""), nil
}
