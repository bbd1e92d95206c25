package replay

import (
	"context"
	"slices"
	"sync"

	"errand/host/run"
	"errand/host/trace"
	"errand/planner/plan"
)

// cutoff is the moment at which a recorded run was interrupted. A replay reaches it when
// the actions that had ended have ended, and those that were running are running. The
// outcome of the others depended on timing.
type cutoff struct {
	interrupt context.CancelFunc

	mu        sync.Mutex
	remaining map[string]bool // actions that have to end, or to be called, first
	reached   chan struct{}   // closed when none is left
}

// load takes the plan, and the last step of each of its actions.
func (c *cutoff) load(p plan.Plan, steps map[string]trace.Step) {
	c.remaining, c.reached = map[string]bool{}, make(chan struct{})
	sound := map[string]bool{} // done, with all that it depends on
	for _, a := range p.Actions() {
		s := steps[a.ActionID]
		ready := !slices.ContainsFunc(a.DependsOn, func(id string) bool { return !sound[id] })
		sound[a.ActionID] = s.Status == trace.Done && ready
		if ready && wasCalled(s) {
			c.remaining[a.ActionID] = true
		}
	}
	if len(c.remaining) == 0 {
		close(c.reached)
	}
}

// wasCalled reports whether the step's tool was called, or its effect is known to exist. A
// call with an unknown outcome has only a claim in the record.
func wasCalled(s trace.Step) bool {
	claimed := (s.Status == trace.Interrupted || s.Status == trace.Running) && s.EffectKey != ""
	return s.Attempts > 0 || s.Status == trace.Done || claimed || s.ErrorCode == trace.CodeOutcomeUnknown
}

// markPast notes that an action has ended or is under way.
func (c *cutoff) markPast(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.remaining[id] {
		return
	}
	if delete(c.remaining, id); len(c.remaining) == 0 {
		close(c.reached)
	}
}

// progress hears which actions have ended, called or not.
func (c *cutoff) progress(e run.Event) {
	if e.Kind == run.StepFinished {
		c.markPast(e.ActionID)
	}
}

// wait returns when the moment has come, or the call's deadline has, and
// interrupts the run.
func (c *cutoff) wait(ctx context.Context) {
	select {
	case <-c.reached:
	case <-ctx.Done():
	}
	c.interrupt()
}
