package runs

import (
	"context"
	"maps"
	"slices"
	"time"

	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs/calls"
	"errand/app/setting"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// CodeNoPlanner is the code of the error for a task whose planner this program does not have.
const CodeNoPlanner = "no_planner"

// taskRun is an attempt of a task.
type taskRun struct {
	*attempt
	planner run.Planner  // nil before it was needed
	turn    int          // how often it was asked
	ofDraft []trace.Step // of the draft that was applied last
}

// loadPlanner makes the planner of the request's task, if there is one.
func (x *taskRun) loadPlanner(ctx context.Context) error {
	if x == nil || x.planner != nil {
		return nil
	}
	t := x.request.Task
	if x.runs.o.TaskPlanner == nil {
		return tool.NewError(tool.ToolUnavailable, CodeNoPlanner, message.New("runs.no_planner", "kind", t.Kind))
	}
	planner, err := x.runs.o.TaskPlanner(ctx, calls.PlannerRequest{
		RunID: x.id, Kind: t.Kind, State: t.State, Words: x.request.words(), Note: x.rec.note, Clean: func(v any) any { return x.clean().Value(v) },
		Turns: x.turns, Steps: x.earlierSteps, AddTurn: x.addTurn, Partial: x.rec.partial(),
	})
	if err == nil {
		x.planner = calls.ScopedPlanner{Planner: planner, Tools: func() *tool.Set { return x.tools }, Seal: x.seal}
	}
	return err
}

// addTurn records an entry of the planner's conversation.
func (x *taskRun) addTurn(ctx context.Context, number int, role string, body any) error {
	text, err := x.clean().JSON(body)
	if err != nil {
		return message.Error("runs.write_record", "cause", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	t := trace.Turn{RunID: x.id, Number: number, Role: role, At: x.runs.now(), ElapsedMS: x.elapsed().Milliseconds(), Body: text}
	if err = x.log.AddTurn(ctx, t); err == nil {
		x.rec.report(TurnEvent{t})
	}
	return err
}

// startTask runs a task from its beginning.
func (x *taskRun) startTask(ctx context.Context) (Report, error) {
	o, t := &x.runs.o, x.request.Task
	if x.request.DryRun {
		return x.report, tool.NewError(tool.ValidationError, "task_dry_run", message.New("runs.task_dry_run"))
	}
	if err := x.loadPlanner(ctx); err != nil {
		return x.report, err
	}
	if err := x.equip(ctx); err != nil {
		return x.report, err
	}
	in := planning.Interpretation{
		Status: interpret.OK, Language: o.Planner.Interpret(x.request.words()).Language, Goals: []plan.Goal{}, Questions: []plan.Question{},
	}
	var err error
	if x.world, err = (permission{x.attempt}).world(ctx, in); err != nil {
		return x.report, err
	}
	x.report.Interpretation = &in
	if x.setting, err = o.Settings.Record(x.id, x.tools.Specs(), setting.RunSetting{
		Origin: x.request.Origin, World: x.world, PlanSource: setting.GivenTask, Task: &setting.Task{
			Kind: t.Kind, State: t.State, Limits: t.Limits, ContinueDenied: t.ContinueDenied, ContinuePending: t.ContinuePending,
		},
	}); err != nil {
		return x.report, err
	}
	if err := x.begin(ctx); err != nil {
		return x.report, err
	}
	x.rec.report(TaskEvent{t.Limits})
	x.runTask(ctx, nil, nil)
	return x.finish(ctx)
}

// runTask asks the planner for calls and makes them until it ends the run, or a call has
// to wait. done are the steps of earlier attempts that are not repeated; results are those
// of the last calls.
func (x *taskRun) runTask(ctx context.Context, done map[string]trace.Step, results []run.ToolResult) {
	for {
		out := x.runTurns(ctx, done, results)
		if out.Status != trace.NeedsApproval || len(out.Pending) == 0 || x.runs.o.Replay != nil {
			return
		}
		h, prepared, fault, err := x.proposeCalls(ctx, out.Pending)
		switch {
		case err != nil:
			x.report.fail(ctx, err)
			return
		case h.State == approval.StateApplying:
			if !x.applyCalls(ctx, h, prepared, done) {
				return
			}
			results = calls.Results(ctx, x.ofDraft, x.payloads)
		case h.State == approval.StateCancelled && x.request.Task.ContinueDenied:
			x.report.Draft = nil
			results = calls.Results(ctx, x.recordRejections(ctx, fault), nil)
		case h.State == approval.StateCancelled:
			x.report.Status, x.report.StopReason, x.report.Error = trace.Cancelled, trace.StopCancelled, fault
			return
		case ctx.Err() != nil:
			x.report.Status, x.report.Error = trace.Interrupted, tool.AsError(ctx.Err())
			return
		default:
			x.wait(h, fault)
			return
		}
		done = doneSteps(x.earlierSteps)
	}
}

// runTurns has the engine run the task until it ends or waits, and adds the outcome to the
// report.
func (x *taskRun) runTurns(ctx context.Context, done map[string]trace.Step, results []run.ToolResult) run.Outcome {
	t, d, limits := x.request.Task, x.dispatcher(), x.request.Task.Limits
	made, failures := calls.Count(x.earlierSteps)
	if limits.MaxWallTime > 0 {
		limits.MaxWallTime = max(limits.MaxWallTime-x.elapsed(), time.Millisecond)
	}
	out := x.runs.engine(d, x.rec.tellStep).RunTask(ctx, run.Task{
		RunID: x.id, Origin: x.request.Origin, Planner: x.planner, World: x.world, Limits: limits, Done: done,
		ContinueDenied: t.ContinueDenied, ContinuePending: t.ContinuePending,
		Results: results, Turn: x.turn, EarlierCalls: made, EarlierFailures: failures,
	})
	x.turn, x.world, x.earlierSteps = out.Turn, out.World, append(slices.Clone(x.earlierSteps), out.Steps...)
	x.report.Status, x.report.StopReason, x.report.Error = out.Status, out.StopReason, out.Error
	x.report.Steps, x.report.Answer = append(x.report.Steps, out.Steps...), message.Verbatim(out.Response)
	if x.report.Error == nil && len(out.Warnings) > 0 { // done, but not completely recorded
		x.report.Error = out.Warnings[0]
	}
	if err := endCalls(ctx, d); err != nil && x.report.Error == nil {
		x.report.Error = tool.AsError(err)
	}
	return out
}

// proposeCalls stores calls that need approval as a draft, and asks the user about it if
// possible. If the user approves, the draft is APPLYING. Its plan is the one that was
// evaluated.
func (x *taskRun) proposeCalls(ctx context.Context, pending []plan.Action) (drafts.Draft, run.Prepared, *tool.Error, error) {
	p, err := calls.Plan(plan.Content{
		Origin: x.request.Origin, Language: x.report.Interpretation.Language, Summary: message.Verbatim(x.request.words()), Inputs: plan.Inputs{RawText: x.request.words()},
	}, pending, x.tools)
	if err != nil {
		return drafts.Draft{}, run.Prepared{}, nil, err
	}
	result := plan.NewSuccess(p, plan.Proof{Kind: plan.Unproved})
	x.report.Result = &result
	e, err := x.evaluate(ctx, p, nil)
	if err != nil {
		return drafts.Draft{}, e.Prepared, nil, err
	}
	if e.WaitsForHost() {
		x.report.explainHost(e)
		return drafts.Draft{}, e.Prepared, nil, x.report.Error
	}
	h, err := x.propose(ctx, e, drafts.Proposal{}, nil)
	if err != nil {
		return h, e.Prepared, nil, err
	}
	x.report.DraftID = h.ID
	asked := x.runs.now()
	h, _, fault := x.ask(ctx, h, &e)
	x.paused += x.runs.now().Sub(asked)
	return h, e.Prepared, fault, nil
}

// applyCalls applies the draft of calls and reports whether the task continues: whether each of
// them ended, done or failed, and none may have had its effect without a result.
func (x *taskRun) applyCalls(ctx context.Context, h drafts.Draft, prepared run.Prepared, done map[string]trace.Step) bool {
	before := x.report.Steps
	x.report.Steps = []trace.Step{}
	x.applyDraft(ctx, h, prepared, done)
	x.explainUnconfirmed()
	x.ofDraft = x.report.Steps
	x.report.Steps = append(slices.Clone(before), x.ofDraft...)
	x.earlierSteps = append(slices.Clone(x.earlierSteps), x.ofDraft...)
	x.gate.Release() // it covers only these calls
	return x.goesOn(ctx)
}

// goesOn reports whether the task continues after its draft was applied.
func (x *taskRun) goesOn(ctx context.Context) bool {
	if ctx.Err() != nil || slices.ContainsFunc(x.ofDraft, func(s trace.Step) bool { return s.Effect == tool.Unknown || s.Status == trace.Interrupted }) {
		return false
	}
	if d := x.report.Draft; d == nil || d.State != approval.StateFailed {
		return d == nil && x.report.Status == trace.Done
	}
	x.report.Draft = nil // its actions were tried, and the planner reads their errors
	return true
}

// continueTask continues a task whose draft was applied in this attempt.
func (x *taskRun) continueTask(ctx context.Context, h drafts.Draft) {
	x.ofDraft = x.report.Steps
	x.earlierSteps = append(slices.Clone(x.earlierSteps), x.ofDraft...)
	x.gate.Release() // it covers only its calls
	if x.goesOn(ctx) {
		rejected := x.recordRejections(ctx, drafts.RejectedError(h))
		x.runTask(ctx, doneSteps(x.earlierSteps), calls.Results(ctx, slices.Concat(x.ofDraft, rejected), x.payloads))
	}
}

// resumeTask continues a task that was interrupted or failed. h is the draft of its last calls, if
// there was one.
func (x *taskRun) resumeTask(ctx context.Context, h drafts.Draft) {
	x.rec.report(TaskEvent{x.request.Task.Limits})
	if h.State == approval.StateCancelled {
		x.recordRejections(ctx, drafts.RejectedError(h))
	}
	x.runTask(ctx, doneSteps(x.earlierSteps), calls.Results(ctx, slices.Collect(maps.Values(calls.LastSteps(x.earlierSteps))), nil))
}

// recordRejections records that the user rejected the calls that still wait: those of a draft
// that was rejected, or that an edit left out.
func (x *taskRun) recordRejections(ctx context.Context, fault *tool.Error) []trace.Step {
	var out []trace.Step
	for _, s := range calls.Waiting(x.earlierSteps) {
		s.Status, s.Error, s.ErrorCode, s.StartedAt, s.DurationMS = trace.Denied, x.clean().Error(fault), fault.Code, x.runs.now(), 0
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		stored, err := x.log.Append(ctx, s)
		cancel()
		if err != nil && x.report.Error == nil {
			x.report.Error = tool.AsError(err)
		}
		out = append(out, stored)
	}
	x.earlierSteps, x.report.Steps = append(slices.Clone(x.earlierSteps), out...), append(x.report.Steps, out...)
	return out
}
