// Package pagepath finds the steps that led to the page of an earlier attempt, so that they can be repeated.
package pagepath

import (
	"slices"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// CodePageGone is the error of a step that needs a page of an earlier attempt, which was closed
// with that attempt's browser.
const CodePageGone = "page_gone"

// Path has the steps that led to a page.
type Path struct {
	Tools   *tool.Set
	Plan    plan.Plan
	Done    map[string]trace.Step
	Restart string // the command that runs the goal again
}

// Find lists the actions that need a page of an earlier attempt, and the steps to repeat for
// them: their finished dependencies that opened a page, navigated or waited for one. The steps
// have to be the same for all of the actions.
func (x Path) Find(only []string) (needing []string, steps []plan.Action, fault *tool.Error) {
	for _, a := range x.Plan.Actions() {
		if _, is := x.Done[a.ActionID]; is || only != nil && !slices.Contains(only, a.ActionID) || !x.PageUse(a).NeedsPage() {
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

func (x Path) pageGoneError(m message.Message) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodePageGone, m).
		WithAlternative(message.New("runs.run_again_command", "command", x.Restart))
}

// stepsBefore returns the completed steps that an action depends on and that changed its page,
// in the plan's order.
func (x Path) stepsBefore(a plan.Action) []plan.Action {
	needs := map[string]bool{a.ActionID: true}
	var out []plan.Action
	for _, b := range slices.Backward(x.Plan.Actions()) { // what it depends on comes before it
		if !needs[b.ActionID] {
			continue
		}
		for _, id := range b.DependsOn {
			needs[id] = true
		}
		if _, is := x.Done[b.ActionID]; is && (x.PageUse(b) == tool.OpensPage || x.PageUse(b).NeedsPage() && x.changesPage(b)) {
			out = append(out, b)
		}
	}
	slices.Reverse(out)
	return out
}

// changesPage reports whether a step may change its page. A step that only read the page or took
// a file from it does not. Waiting and checking steps count, because they are part of the path.
func (x Path) changesPage(a plan.Action) bool {
	switch x.PageUse(a) {
	case tool.AwaitsPage, tool.ChecksPage:
		return true
	case tool.LeavesPage:
		return false
	}
	return x.declaredEffect(a) != tool.EffectRead
}

// declaredEffect returns the effect of an action according to its arguments.
func (x Path) declaredEffect(a plan.Action) tool.Effect {
	t, ok := x.Tools.Get(a.Tool)
	if !ok {
		return tool.EffectCommit
	}
	if c, can := t.(tool.Classifier); can {
		return c.DeclaredEffect(tool.Call{Tool: a.Tool, Args: a.Args})
	}
	return t.Spec().Effect
}

// PageUse is how an action uses its run's open page.
func (x Path) PageUse(a plan.Action) tool.PageUse {
	t, ok := x.Tools.Get(a.Tool)
	if !ok {
		return tool.NoPage
	}
	return t.Spec().PageUse(a.Args)
}

// Opener returns the tool that opens a URL and has no other effect, or "".
func Opener(tools *tool.Set) string {
	for _, s := range tools.Specs() {
		if s.Page == tool.OpensPage && s.SideEffectClass == tool.Read && slices.Contains(s.CanAchieve, "browser_navigate") {
			return s.Name
		}
	}
	return ""
}
