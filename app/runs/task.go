package runs

import (
	"context"
	"slices"
	"time"

	"errand/app/answers"
	"errand/app/drafts"
	"errand/app/planning"
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
	planner run.Planner // nil before it was needed
	turn    int         // how often it was asked
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
	var err error
	x.planner, err = x.runs.o.TaskPlanner(ctx, run.PlannerRequest{
		Kind: t.Kind, State: t.State, Words: x.request.words(), Note: x.rec.note, Clean: func(v any) any { return x.clean().Value(v) },
	})
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
	x.runTask(ctx, nil, nil)
	return x.finish(ctx)
}

// runTask asks the planner for calls and makes them until it ends the run, or a call has
// to wait. done are the steps of earlier attempts that are not repeated; results are those
// of the last calls.
func (x *taskRun) runTask(ctx context.Context, done map[string]trace.Step, results []run.ToolResult) {
	for {
		out := x.runTurns(ctx, done, results)
		if out.Status != trace.NeedsApproval || len(out.Pending) == 0 {
			return
		}
		h, prepared, fault, err := x.proposeCalls(ctx, out.Pending)
		switch {
		case err != nil:
			x.report.fail(ctx, err)
			return
		case h.State == approval.StateApplying:
			if results = x.applyCalls(ctx, h, prepared, done); results == nil {
				return
			}
		case h.State == approval.StateCancelled && x.request.Task.ContinueDenied:
			x.report.Draft, results = nil, rejectedResults(out.Pending, fault)
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
	t, d := x.request.Task, x.dispatcher()
	limits := t.Limits
	if limits.MaxWallTime > 0 {
		limits.MaxWallTime = max(limits.MaxWallTime-x.elapsed(), time.Millisecond)
	}
	out := x.runs.engine(d, x.rec.tellStep).RunTask(ctx, run.Task{
		RunID: x.id, Origin: x.request.Origin, Planner: x.planner, World: x.world, Limits: limits, Done: done,
		ContinueDenied: t.ContinueDenied, ContinuePending: t.ContinuePending,
		Results: results, Turn: x.turn, EarlierCalls: len(x.earlierSteps),
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
func (x *taskRun) proposeCalls(ctx context.Context, calls []plan.Action) (drafts.Draft, run.Prepared, *tool.Error, error) {
	p, err := x.planOf(calls)
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
	h, _, fault := x.ask(ctx, h, &e)
	return h, e.Prepared, fault, nil
}

// planOf returns a plan with the calls of a planner's answer.
func (x *taskRun) planOf(calls []plan.Action) (plan.Plan, error) {
	c := plan.Content{
		Origin: x.request.Origin, Language: x.report.Interpretation.Language, Domain: "mixed", Summary: message.Verbatim(x.request.words()),
		Inputs: plan.Inputs{RawText: x.request.words()}, GoalAchievedBy: calls[len(calls)-1].ActionID,
	}
	for _, a := range calls { // a planner names the calls, not their risk
		a.Confidence, a.RiskLevel, a.ReadOnly = 1, plan.Medium, false
		a.Preview, a.Reason = answers.SummarizeCall(a.Tool, a.Args), message.New("plan.task_call")
		if t, ok := x.tools.Get(a.Tool); ok {
			a.RiskLevel = planning.Risk(t.Spec())
		}
		a.DependsOn = slices.DeleteFunc(slices.Clone(a.DependsOn), func(id string) bool { // the plan has no done actions
			return !slices.ContainsFunc(calls, func(c plan.Action) bool { return c.ActionID == id })
		})
		c.Actions = append(c.Actions, a)
	}
	planning.FlagRisks(&c)
	p, err := plan.New(c)
	if err != nil {
		return p, tool.NewError(tool.ValidationError, "bad_calls", message.New("runs.bad_calls", "cause", err))
	}
	return p, nil
}

// applyCalls applies the draft of calls and returns their results; nil if some of them are
// not done, so that the task does not continue.
func (x *taskRun) applyCalls(ctx context.Context, h drafts.Draft, prepared run.Prepared, done map[string]trace.Step) []run.ToolResult {
	before := x.report.Steps
	x.applyDraft(ctx, h, prepared, done)
	x.explainUnconfirmed()
	steps := x.report.Steps // those of the draft alone
	x.report.Steps = append(slices.Clone(before), steps...)
	x.earlierSteps = append(slices.Clone(x.earlierSteps), steps...)
	x.gate.draft.Store(nil) // it covers only these calls
	if x.report.Status != trace.Done || x.report.Draft != nil {
		return nil
	}
	return x.resultsOf(steps)
}

// continueTask continues a task whose draft was applied in this attempt.
func (x *taskRun) continueTask(ctx context.Context) {
	steps := x.report.Steps
	x.earlierSteps = append(slices.Clone(x.earlierSteps), steps...)
	x.gate.draft.Store(nil) // it covers only its calls
	if x.report.Status == trace.Done && x.report.Draft == nil {
		x.runTask(ctx, doneSteps(x.earlierSteps), x.resultsOf(steps))
	}
}

// resumeTask continues a task that was interrupted or failed.
func (x *taskRun) resumeTask(ctx context.Context) {
	x.runTask(ctx, doneSteps(x.earlierSteps), x.resultsOf(trace.LastDone(x.earlierSteps)))
}

// resultsOf converts steps to results of calls. Payloads of this attempt are complete; others
// are as recorded, without secrets.
func (x *taskRun) resultsOf(steps []trace.Step) []run.ToolResult {
	out := make([]run.ToolResult, len(steps))
	for i, s := range steps {
		out[i] = run.ResultOf(s)
		if payload, ok := x.payloads[s.StepID]; ok {
			out[i].Payload = payload
		}
	}
	return out
}

// rejectedResults returns the results of calls that the user rejected.
func rejectedResults(calls []plan.Action, fault *tool.Error) []run.ToolResult {
	out := make([]run.ToolResult, len(calls))
	for i, c := range calls {
		out[i] = run.ToolResult{ActionID: c.ActionID, Status: trace.Denied, ErrorCode: fault.Code, Error: fault}
	}
	return out
}
