package core

import (
	"context"
	"slices"
	"strings"
	"time"

	"errand/app/setting"
	"errand/host/files"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// CodePageGone is a step that needs the page of an earlier stretch of its run,
// which ended with that stretch's browser.
const CodePageGone = "page_gone"

// GoesOn reports whether a run that stopped over e can be gone on with as it is.
func GoesOn(e *tool.Error) bool { return e == nil || e.Code != CodePageGone }

// reopen gets the run that goes on back to the page where an earlier stretch left
// it: what led there is done again where all of it only read and navigated. It
// goes through the door with no record to write to, where nothing that has an
// effect is called; what comes of it is noted as events, and the steps stay
// those that were. Where it can't be done, each action that needs the page fails
// and says why.
func (x *execution) reopen(ctx context.Context, p plan.Plan, only []string, done map[string]trace.Step) {
	if x.earlier == nil || len(done) == 0 {
		return
	}
	stranded, way, fault := x.wayBack(p, only, done)
	if fault == nil && len(way) > 0 {
		fault = x.goBack(ctx, p.Origin(), way, done)
	}
	if fault != nil {
		x.session.gone.Store(&pageGone{stranded, fault})
	}
}

// pageGone is why actions don't have the page that an earlier stretch opened.
type pageGone struct {
	actions []string
	fault   *tool.Error
}

// wayBack is what has to be done again for the actions that need a page of an
// earlier stretch: of what they depend on and is done, all that opened, moved or
// waited for a page. It has to be the same for all of them.
func (x *execution) wayBack(p plan.Plan, only []string, done map[string]trace.Step) (stranded []string, way []plan.Action, fault *tool.Error) {
	for _, a := range p.Actions() {
		if _, is := done[a.ActionID]; is || only != nil && !slices.Contains(only, a.ActionID) || !x.pageUse(a).NeedsPage() {
			continue
		}
		before := x.pageSteps(p, a, done)
		if len(before) == 0 { // it opens one yet, or never had any
			continue
		}
		stranded = append(stranded, a.ActionID)
		switch {
		case len(stranded) == 1:
			way = before
		case !slices.EqualFunc(way, before, func(a, b plan.Action) bool { return a.ActionID == b.ActionID }):
			fault = x.gone("%s and %s need pages of different steps, which are no longer open", stranded[0], a.ActionID)
		}
	}
	if fault != nil {
		return stranded, nil, fault
	}
	var did []string
	for _, a := range way {
		if e := x.declared(a); e != tool.EffectRead && e != tool.EffectNavigate {
			did = append(did, a.ActionID+" ("+a.Tool+")")
		}
	}
	if len(did) > 0 {
		return stranded, nil, x.gone("the page that %s needs is no longer open, and what was done on it is not done twice: %s",
			stranded[0], strings.Join(did, ", "))
	}
	return stranded, way, nil
}

func (x *execution) gone(format string, args ...any) *tool.Error {
	e := tool.Errorf(tool.ExecutionError, CodePageGone, format, args...).
		WithHint("begin anew, with all of its steps: %s", setting.CommandOf(*x.earlier))
	e.Recoverable = true
	return e
}

// pageSteps are the done steps that an action depends on and that made its page
// what it was, in the plan's order.
func (x *execution) pageSteps(p plan.Plan, a plan.Action, done map[string]trace.Step) []plan.Action {
	needs := map[string]bool{a.ActionID: true}
	var out []plan.Action
	for _, b := range slices.Backward(p.Actions()) { // what it depends on comes before it
		if !needs[b.ActionID] {
			continue
		}
		for _, id := range b.DependsOn {
			needs[id] = true
		}
		if _, is := done[b.ActionID]; is && (x.pageUse(b) == tool.OpensPage || x.pageUse(b).NeedsPage() && x.counts(b)) {
			out = append(out, b)
		}
	}
	slices.Reverse(out)
	return out
}

// counts reports whether a step makes a difference to its page. What only read it
// or took a file from it does not; to wait for something and to make sure of it
// are part of the way.
func (x *execution) counts(a plan.Action) bool {
	switch x.pageUse(a) {
	case tool.AwaitsPage, tool.ChecksPage:
		return true
	case tool.LeavesPage:
		return false
	}
	return x.declared(a) != tool.EffectRead
}

// declared is the effect that an action has by its arguments.
func (x *execution) declared(a plan.Action) tool.Effect {
	t, ok := x.tools.Get(a.Tool)
	if !ok {
		return tool.EffectCommit
	}
	if c, can := t.(tool.Classifier); can {
		return c.Declared(tool.Call{Tool: a.Tool, Args: a.Args})
	}
	return t.Spec().Effect
}

// pageUse is what an action does with the page that its run has open.
func (x *execution) pageUse(a plan.Action) tool.PageUse {
	t, ok := x.tools.Get(a.Tool)
	if !ok {
		return tool.NoPage
	}
	return t.Spec().PageUse(a.Args)
}

// pageOpener is the tool that opens a URL and has no other effect; "": there is none.
func (x *execution) pageOpener() string {
	for _, s := range x.tools.Specs() {
		if s.Page == tool.OpensPage && s.SideEffectClass == tool.Read && slices.Contains(s.CanAchieve, "browser_navigate") {
			return s.Name
		}
	}
	return ""
}

// goBack does the way again. Its fault is that of the step that failed.
func (x *execution) goBack(ctx context.Context, origin plan.Origin, way []plan.Action, done map[string]trace.Step) *tool.Error {
	d := run.NewDispatcher(run.DispatcherOptions{
		Tools: x.tools, Precheck: files.CheckRoots, Reach: x.resolve, BeforeCall: x.session.beforeCall, Redact: func(v any) any { return x.app.vault.CleanerOf(x.id).Value(v) }, Now: x.app.now,
		StepTimeout: time.Duration(x.app.conf.Run.StepTimeoutMS) * time.Millisecond,
		Decide: func(r policy.Request) policy.Decision {
			if e := tool.Effect(r.Effect); e != tool.EffectRead && e != tool.EffectNavigate { // the page is another one by now
				return policy.Decision{Rule: CodePageGone, Reason: "it would do more than go there, which is not done twice"}
			}
			return x.decide(r)
		},
		Approve: func(_ context.Context, ask run.Ask) (bool, error) { // a person did, to this step of this run
			if slices.Contains(done[ask.Call.CallID].PolicyFlags, trace.FlagApproved) && approvable(ask.Decision) {
				return true, nil
			}
			return false, run.ErrNobody
		},
	})
	var fault *tool.Error
	for _, a := range way {
		call := tool.Call{RunID: x.id, CallID: a.ActionID, Tool: a.Tool, Args: a.Args, Origin: string(origin)}
		if t, ok := x.tools.Get(a.Tool); ok && t.Spec().SideEffectClass != tool.Read { // it counts as an effect, and this is none
			call.Tool, call.Args = x.pageOpener(), map[string]any{"url": a.Args["url"]}
		}
		result, _ := d.Dispatch(ctx, call)
		noted := map[string]any{"event": "again", "step": a.ActionID, "tool": call.Tool}
		if fault = result.Error; fault != nil {
			noted["error"] = fault.Code
		}
		x.note("page", noted)
		if fault != nil {
			again := *fault
			again.Message = "the page of " + a.ActionID + " was gone and is not to be had again: " + fault.Message
			fault = &again
			break
		}
	}
	if err := x.endCalls(ctx, d); err != nil && fault == nil {
		fault = tool.AsError(err)
	}
	return fault
}
