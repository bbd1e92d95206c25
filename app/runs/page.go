package runs

import (
	"context"
	"slices"
	"time"

	"errand/app/drafts"
	"errand/app/setting"
	"errand/host/files"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// CodePageGone is the error of a step that needs a page of an earlier attempt, which was closed
// with that attempt's browser.
const CodePageGone = "page_gone"

// reopenPage opens the page again where an earlier attempt left it. It repeats the steps that led
// there, if all of them only read and navigated. Its dispatcher has no record and calls nothing
// that has an effect. The repeated steps are recorded as events. If it fails, each action that
// needs the page fails with the reason.
func (x *attempt) reopenPage(ctx context.Context, p plan.Plan, only []string, done map[string]trace.Step) {
	if x.earlier == nil || len(done) == 0 {
		return
	}
	path := pagePath{tools: x.tools, plan: p, done: done, restart: setting.CommandOf(*x.earlier)}
	needing, steps, fault := path.find(only)
	if fault == nil && len(steps) > 0 {
		fault = x.repeat(ctx, p.Origin(), path, steps)
	}
	if fault != nil {
		x.session.LosePage(needing, fault)
	}
}

// pagePath has the steps that led to a page.
type pagePath struct {
	tools   *tool.Set
	plan    plan.Plan
	done    map[string]trace.Step
	restart string // the command that runs the goal again
}

// find lists the actions that need a page of an earlier attempt, and the steps to repeat for
// them: their finished dependencies that opened a page, navigated or waited for one. The steps
// have to be the same for all of the actions.
func (x pagePath) find(only []string) (needing []string, steps []plan.Action, fault *tool.Error) {
	for _, a := range x.plan.Actions() {
		if _, is := x.done[a.ActionID]; is || only != nil && !slices.Contains(only, a.ActionID) || !x.pageUse(a).NeedsPage() {
			continue
		}
		before := x.stepsBefore(a)
		if len(before) == 0 { // it opens one yet, or never had any
			continue
		}
		needing = append(needing, a.ActionID)
		switch {
		case len(needing) == 1:
			steps = before
		case !slices.EqualFunc(steps, before, func(a, b plan.Action) bool { return a.ActionID == b.ActionID }):
			fault = x.pageGoneError(message.New("runs.pages_differ", "first", needing[0], "second", a.ActionID))
		}
	}
	if fault != nil {
		return needing, nil, fault
	}
	var did []string
	for _, a := range steps {
		if e := x.declaredEffect(a); e != tool.EffectRead && e != tool.EffectNavigate {
			did = append(did, a.ActionID+" ("+a.Tool+")")
		}
	}
	if len(did) > 0 {
		return needing, nil, x.pageGoneError(message.New("runs.page_not_repeatable", "action", needing[0], "steps", did))
	}
	return needing, steps, nil
}

func (x pagePath) pageGoneError(m message.Message) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodePageGone, m).
		WithAlternative(message.New("runs.run_again_command", "command", x.restart))
}

// stepsBefore returns the completed steps that an action depends on and that changed its page,
// in the plan's order.
func (x pagePath) stepsBefore(a plan.Action) []plan.Action {
	needs := map[string]bool{a.ActionID: true}
	var out []plan.Action
	for _, b := range slices.Backward(x.plan.Actions()) { // what it depends on comes before it
		if !needs[b.ActionID] {
			continue
		}
		for _, id := range b.DependsOn {
			needs[id] = true
		}
		if _, is := x.done[b.ActionID]; is && (x.pageUse(b) == tool.OpensPage || x.pageUse(b).NeedsPage() && x.changesPage(b)) {
			out = append(out, b)
		}
	}
	slices.Reverse(out)
	return out
}

// changesPage reports whether a step may change its page. A step that only read the page or took
// a file from it does not. Waiting and checking steps count, because they are part of the path.
func (x pagePath) changesPage(a plan.Action) bool {
	switch x.pageUse(a) {
	case tool.AwaitsPage, tool.ChecksPage:
		return true
	case tool.LeavesPage:
		return false
	}
	return x.declaredEffect(a) != tool.EffectRead
}

// declaredEffect returns the effect of an action according to its arguments.
func (x pagePath) declaredEffect(a plan.Action) tool.Effect {
	t, ok := x.tools.Get(a.Tool)
	if !ok {
		return tool.EffectCommit
	}
	if c, can := t.(tool.Classifier); can {
		return c.DeclaredEffect(tool.Call{Tool: a.Tool, Args: a.Args})
	}
	return t.Spec().Effect
}

// pageUse is how an action uses its run's open page.
func (x pagePath) pageUse(a plan.Action) tool.PageUse {
	t, ok := x.tools.Get(a.Tool)
	if !ok {
		return tool.NoPage
	}
	return t.Spec().PageUse(a.Args)
}

// pageOpener returns the tool that opens a URL and has no other effect, or "".
func pageOpener(tools *tool.Set) string {
	for _, s := range tools.Specs() {
		if s.Page == tool.OpensPage && s.SideEffectClass == tool.Read && slices.Contains(s.CanAchieve, "browser_navigate") {
			return s.Name
		}
	}
	return ""
}

// repeat repeats steps. It returns the error of the step that failed.
func (x *attempt) repeat(ctx context.Context, origin plan.Origin, path pagePath, steps []plan.Action) *tool.Error {
	d := run.NewDispatcher(run.DispatcherOptions{
		Tools: x.tools, Precheck: files.CheckRoots, Reach: x.gate.checkReach, BeforeCall: permission{x}.beforeCall, Redact: func(v any) any { return x.clean().Value(v) }, Now: x.runs.o.Now,
		StepTimeout: time.Duration(x.runs.o.Config.Run.StepTimeoutMS) * time.Millisecond,
		Decide: func(r policy.Request) policy.Decision {
			if e := tool.Effect(r.Effect); e != tool.EffectRead && e != tool.EffectNavigate { // the page is another one by now
				return policy.Decision{Rule: CodePageGone, Reason: message.New("runs.more_than_navigation")}
			}
			return x.gate.decide(r)
		},
		Approve: func(_ context.Context, ask run.Ask) (bool, error) { // the user did, for this step of this run
			if slices.Contains(path.done[ask.Call.ActionID].PolicyFlags, trace.FlagApproved) && drafts.Approvable(ask.Decision) {
				return true, nil
			}
			return false, run.ErrNoUser
		},
	})
	var fault *tool.Error
	for _, a := range steps {
		call := tool.Call{RunID: x.id, ActionID: a.ActionID, Tool: a.Tool, Args: a.Args, Origin: string(origin), Several: a.Several}
		if t, ok := x.tools.Get(a.Tool); ok && t.Spec().SideEffectClass != tool.Read && path.pageUse(a) == tool.OpensPage { // opening a page again has no effect
			call.Tool, call.Args = pageOpener(x.tools), map[string]any{"url": a.Args["url"]}
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
