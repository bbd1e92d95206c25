package replay

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"errand/app/runs"
	"errand/app/runs/calls"
	"errand/app/secrets"
	"errand/host/agent"
	"errand/host/llm"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// codeNoTurn is the code of the error of a planner whose recorded turns are used up.
const codeNoTurn = "no_recorded_turn"

// taskReplay repeats a task with the recorded answers of its model. It sends nothing.
type taskReplay struct {
	*tape
	answers []agent.Body
	planner *agent.Planner
}

// repeatTask repeats a task and compares its steps with the record.
func (r *replayRun) repeatTask(ctx context.Context, t *tape) {
	r.leave(WhereInterpretation, "", "", WhyGiven)
	r.leave(WherePlan, "", "", WhyGiven)
	answers, err := agent.ReadTurns(r.rec.Turns)
	switch {
	case err != nil:
		r.addDifference(Difference{WhereStep, "", "turns", message.FromError(err), nil})
		return
	case len(answers) == 0:
		r.leave(WhereStep, "", "", WhyNotRecorded)
		return
	}
	x := &taskReplay{tape: t, answers: answers}
	x.planner = agent.New(agent.Options{Ask: x.answer, Task: r.rec.Goal})
	ctx, t.end.interrupt = context.WithCancel(ctx)
	defer t.end.interrupt()
	t.end.reached = make(chan struct{})
	close(t.end.reached)
	t.task = x
	recorded := r.setting.Run.Task
	limits := recorded.Limits
	limits.MaxWallTime = 0 // a replay takes another time
	goesOn := recorded.ContinueDenied || r.rec.Status != trace.Cancelled && slices.ContainsFunc(r.rec.Steps, func(s trace.Step) bool { return s.ErrorCode == "rejected" })
	report, err := r.app.runs(t).Start(ctx, runs.Request{Origin: r.setting.Run.Origin, Words: r.rec.Goal, Task: &runs.Task{
		Kind: recorded.Kind, State: recorded.State, Limits: limits, ContinueDenied: goesOn, ContinuePending: recorded.ContinuePending,
	}})
	switch {
	case err != nil:
		r.addDifference(Difference{WhereRun, "", "error", nil, tool.AsError(err).Code})
	case x.compareSteps(report.Steps):
		x.compareEnd(report)
	}
}

// answer gives the next recorded answer in place of a model.
func (x *taskReplay) answer(_ context.Context, turn int, _ llm.Request) (llm.Turn, error) {
	if turn > len(x.answers) {
		return llm.Turn{}, tool.NewError(tool.ExecutionError, codeNoTurn, message.New("replay.no_turn", "turn", turn))
	}
	return x.answers[turn-1].Turn(), nil
}

// Plan implements [run.Planner]. A call that was skipped then because of another one, and made
// later, is made again.
func (x *taskReplay) Plan(ctx context.Context, rc *run.RunContext) (run.AssistantAction, error) {
	rc.Results = slices.DeleteFunc(slices.Clone(rc.Results), func(r run.ToolResult) bool {
		return r.Status == trace.Skipped && x.steps[r.ActionID].Status != trace.Skipped
	})
	action, err := x.planner.Plan(ctx, rc)
	maps.DeleteFunc(action.CallErrors, func(_ string, e *tool.Error) bool { return e.Code == agent.CodeSecretLost })
	for _, a := range action.Calls {
		x.redacted[a.ActionID] = secrets.IsMarked(map[string]any(a.Args))
		if s, ok := x.steps[a.ActionID]; ok && s.Args != nil && !x.redacted[a.ActionID] && tool.HashArgs(s.Args) != tool.HashArgs(a.Args) {
			x.edited[a.ActionID] = s.Args
		}
		x.byArg[a.Tool+"\x00"+tool.HashArgs(x.argsOf(a.ActionID, a.Args))] = a.ActionID
	}
	for i, a := range action.Calls {
		action.Calls[i].Args = x.argsOf(a.ActionID, a.Args)
	}
	return action, err
}

// argsOf returns the arguments of a call, as the user may have changed them.
func (x *taskReplay) argsOf(id string, args map[string]any) map[string]any {
	if other, ok := x.edited[id]; ok {
		return other
	}
	return args
}

// approve gives the user's answer again. A call without one waits, as it did.
func (x *taskReplay) approve(_ context.Context, ask run.Ask) (bool, error) {
	s := x.steps[ask.Call.ActionID]
	switch {
	case slices.Contains(s.PolicyFlags, trace.FlagApproved), wasCalled(s):
		return true, nil
	case s.ErrorCode == "rejected":
		return false, nil
	}
	return false, run.ErrNoUser
}

// compareSteps compares the last step of each call, and the order of the turns.
func (x *taskReplay) compareSteps(now []trace.Step) bool {
	r, last := x.r, 0
	for _, s := range r.rec.Steps {
		var turn, number int
		if n, _ := fmt.Sscanf(s.StepID, "t%d.%d", &turn, &number); n == 2 && turn < last {
			return r.addDifference(Difference{WhereStep, s.StepID, "order", message.New("replay.after", "step", fmt.Sprintf("t%d", last)), message.New("replay.before", "step", fmt.Sprintf("t%d", last))})
		}
		last = max(last, turn)
	}
	made := calls.LastSteps(now)
	for _, s := range now {
		if s.Status != made[s.StepID].Status { // it was made again
			continue
		}
		recorded, ok := x.steps[s.StepID]
		switch {
		case !ok && x.cut:
			r.leave(WhereStep, s.StepID, "", WhyNotRecorded)
			continue
		case !ok:
			return r.addDifference(Difference{WhereStep, s.StepID, "", nil, s.ToolName})
		case r.rec.Status == trace.NeedsApproval && (s.Status == trace.NeedsApproval || s.Status == trace.Skipped): // others of its turn may be done
			r.leave(WhereStep, s.StepID, "status", WhyNotRecorded)
			continue
		}
		if !r.step(x.tape, recorded, s) {
			return false
		}
		r.out.Compared.Steps++
	}
	for _, s := range r.rec.Steps {
		if _, ok := made[s.StepID]; !ok && !x.cut {
			return r.addDifference(Difference{WhereStep, s.StepID, "", s.ToolName, nil})
		}
	}
	return true
}

// compareEnd compares how the task ended. The record alone knows of ends that have their reason
// outside of the answers, such as a provider that failed.
func (x *taskReplay) compareEnd(now runs.Report) {
	r := x.r
	switch {
	case x.cut || now.Error != nil && now.Error.Code == codeNoTurn:
		r.leave(WhereRun, "", "status", WhyNotRecorded)
	case r.rec.Status == trace.Cancelled && now.Status == trace.Denied && now.Error != nil && now.Error.Code == "rejected": // the user's rejection
	case r.rec.Status == trace.Cancelled && now.Status == trace.NeedsApproval: // the user rejected its draft later
	case !r.compareField(WhereRun, "", "status", r.rec.Status, now.Status):
	case !r.compareField(WhereRun, "", "stop_reason", string(r.rec.StopReason), string(now.StopReason)):
	case r.rec.Status == trace.NeedsApproval: // its answer tells of what was approved so far
	case secrets.IsMarked(r.rec.Answer.PlainValue()):
		r.leave(WhereRun, "", "answer", WhyRedacted)
	case !r.rec.Answer.Equal(now.Answer):
		r.addDifference(Difference{WhereRun, "", "answer", r.rec.Answer, now.Answer})
	}
}
