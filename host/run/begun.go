package run

import (
	"context"
	"time"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// FindBegun returns the ids of a plan's actions that an earlier attempt of the run began and
// that had their effect, or may have had it. claims are those of the run. It asks the tools of
// the actions, and records nothing: [Engine.Run] settles an action when its turn comes. What
// such an action would do now is no longer a question.
func (d *Dispatcher) FindBegun(ctx context.Context, runID string, p plan.Plan, claims []trace.Claim) []string {
	var begun []string
	if len(claims) == 0 {
		return nil
	}
	for _, a := range p.Actions() {
		for _, c := range claims {
			if c.Step.StepID == a.ActionID && c.Step.ToolName == a.Tool && d.mayHaveEffect(ctx, callOf(a, runID, p.Origin()), c) {
				begun = append(begun, a.ActionID)
				break
			}
		}
	}
	return begun
}

// mayHaveEffect reports whether a claimed call had its effect, as far as its tool can tell.
func (d *Dispatcher) mayHaveEffect(ctx context.Context, call tool.Call, claim trace.Claim) bool {
	args, err := tool.CopyArgs(call.Args)
	if err != nil || claim.Step.ArgsHash != d.hashArgs(args) && claim.Step.ArgsHash != tool.HashArgs(args) {
		return false // another call
	}
	if claim.Effect != tool.Unknown {
		return claim.Effect != tool.Released
	}
	t, known := d.o.Tools.Get(call.Tool)
	if !known {
		return true
	}
	call.Args, call.Key = args, claim.Key
	ctx = tool.WithCaller(ctx, t.Spec().Caller(call))
	found, ok := d.lookUp(ctx, t, t.Spec(), call, claim.Step.StartedAt)
	return !ok || found.Effect != tool.Released
}

// lookUp asks a tool for the outcome of a call that was claimed at a time. It reports false if
// the tool can't be asked.
func (d *Dispatcher) lookUp(ctx context.Context, t tool.Tool, spec tool.Spec, call tool.Call, claimed time.Time) (tool.Reconciled, bool) {
	c, can := t.(tool.Reconciler)
	if !can {
		return tool.Reconciled{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout(spec))
	defer cancel()
	call.Claimed = claimed
	if d.reveal(spec, &call) != nil {
		return tool.Reconciled{}, false
	}
	a := callWithDeadline(ctx, ctx, d, runningCall{name: spec.Name}, func() (tool.Reconciled, error) { return c.Reconcile(ctx, call) })
	return a.value, a.err == nil
}
