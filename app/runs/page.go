package runs

import (
	"context"
	"slices"
	"time"

	"errand/app/drafts"
	"errand/app/runs/pagepath"
	"errand/app/setting"
	"errand/host/files"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// reopenPage opens the page again where an earlier attempt left it. It repeats the steps that led
// there, if all of them only read and navigated. Its dispatcher has no record and calls nothing
// that has an effect. The repeated steps are recorded as events. If it fails, each action that
// needs the page fails with the reason.
func (x *attempt) reopenPage(ctx context.Context, p plan.Plan, only []string, done map[string]trace.Step) {
	if x.earlier == nil || len(done) == 0 {
		return
	}
	path := pagepath.Path{Tools: x.tools, Plan: p, Done: done, Restart: setting.CommandOf(*x.earlier)}
	needing, steps, fault := path.Find(only)
	if fault == nil && len(steps) > 0 {
		fault = x.repeat(ctx, p.Origin(), path, steps)
	}
	if fault != nil {
		x.session.LosePage(needing, fault)
	}
}

// repeat repeats steps. It returns the error of the step that failed.
func (x *attempt) repeat(ctx context.Context, origin plan.Origin, path pagepath.Path, steps []plan.Action) *tool.Error {
	d := run.NewDispatcher(run.DispatcherOptions{
		Tools: x.tools, Precheck: files.CheckRoots, Reach: x.gate.CheckReach, BeforeCall: permission{x}.beforeCall, Redact: func(v any) any { return x.clean().Value(v) }, Now: x.runs.o.Now,
		StepTimeout: time.Duration(x.runs.o.Config.Run.StepTimeoutMS) * time.Millisecond,
		Decide: func(r policy.Request) policy.Decision {
			if e := tool.Effect(r.Effect); e != tool.EffectRead && e != tool.EffectNavigate { // the page is another one by now
				return policy.Decision{Rule: pagepath.CodePageGone, Reason: message.New("runs.more_than_navigation")}
			}
			return x.gate.Decide(r)
		},
		Approve: func(_ context.Context, ask run.Ask) (bool, error) { // the user did, for this step of this run
			if slices.Contains(path.Done[ask.Call.ActionID].PolicyFlags, trace.FlagApproved) && drafts.Approvable(ask.Decision) {
				return true, nil
			}
			return false, run.ErrNoUser
		},
	})
	var fault *tool.Error
	for _, a := range steps {
		call := tool.Call{RunID: x.id, ActionID: a.ActionID, Tool: a.Tool, Args: a.Args, Origin: string(origin), Several: a.Several}
		if t, ok := x.tools.Get(a.Tool); ok && t.Spec().SideEffectClass != tool.Read && path.PageUse(a) == tool.OpensPage { // opening a page again has no effect
			call.Tool, call.Args = pagepath.Opener(x.tools), map[string]any{"url": a.Args["url"]}
		}
		result, _ := d.Dispatch(ctx, call)
		noted := trace.PageNote{Event: trace.PageRepeated, Step: a.ActionID, Tool: call.Tool}
		if fault = result.Error; fault != nil {
			noted.Error = fault.Code
		}
		x.rec.note(noted)
		if fault != nil {
			retry := *fault
			retry.Message = message.New("runs.page_not_reopened", "action", a.ActionID, "cause", fault.Message)
			fault = &retry
			break
		}
	}
	if err := endCalls(ctx, d); err != nil && fault == nil {
		fault = tool.AsError(err)
	}
	return fault
}
