package run

import (
	"context"
	"slices"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// running is one run of a plan. Its fields belong to the goroutine of
// Engine.Run; the goroutines of the actions only send what they finished.
type running struct {
	e        *Engine
	runID    string
	actions  []plan.Action
	calls    []tool.Call
	index    map[string]int // action id → place in the plan
	world    plan.World
	steps    []trace.Step
	done     []bool
	payloads map[string]any
	warnings []*tool.Error
	progress *progress
}

type finished struct {
	result tool.Result
	step   trace.Step
}

func newRunning(e *Engine, runID string, p plan.Plan, w plan.World) *running {
	r := &running{
		e: e, runID: runID, actions: p.Actions(), calls: planCalls(p, runID), index: map[string]int{},
		world: w, payloads: map[string]any{}, progress: newProgress(e.o.Progress, 2*p.Len()),
	}
	r.steps, r.done = make([]trace.Step, len(r.actions)), make([]bool, len(r.actions))
	for i, a := range r.actions {
		r.index[a.ActionID] = i
	}
	return r
}

// carryOut runs the graph: what is ready starts in the plan's order as long as
// there is room.
func (r *running) carryOut(ctx context.Context, approved map[string]string) {
	type arrival struct {
		i int
		finished
	}
	arrivals := make(chan arrival)
	started := make([]bool, len(r.actions))
	for underWay, left := 0, len(r.actions); left > 0; {
		for i := 0; i < len(r.actions); i++ {
			if started[i] || !r.ready(i) {
				continue
			}
			if why, skip := r.skip(ctx, i); skip {
				started[i] = true
				left--
				r.finish(i, r.e.d.skipped(ctx, r.calls[i], why))
				i = -1 // what depended on it may be ready to be skipped now
				continue
			}
			if underWay == r.e.o.Parallel {
				break
			}
			started[i] = true
			underWay++
			r.progress.tell(Event{Kind: StepStarted, RunID: r.runID, ActionID: r.actions[i].ActionID, Tool: r.actions[i].Tool, Total: len(r.actions)})
			go func() {
				result, step := r.e.d.dispatch(ctx, r.calls[i], approved[r.actions[i].ActionID])
				arrivals <- arrival{i, finished{result, step}}
			}()
		}
		if underWay > 0 {
			a := <-arrivals // comes: dispatch is bounded by its deadline, grace and record time
			underWay--
			left--
			r.finish(a.i, a.finished)
		}
	}
}

// ready reports whether all dependencies have ended, in whatever way.
func (r *running) ready(i int) bool {
	return !slices.ContainsFunc(r.actions[i].DependsOn, func(id string) bool { return !r.done[r.index[id]] })
}

// skip says why an action that is ready shall not run.
func (r *running) skip(ctx context.Context, i int) (*tool.Error, bool) {
	for _, id := range r.actions[i].DependsOn {
		dep := r.steps[r.index[id]]
		if dep.Status != trace.Done {
			class := tool.ExecutionError
			if dep.Error != nil {
				class = dep.Error.Class
			}
			return tool.Errorf(class, "dependency_failed", "skipped, because %s, on which it depends, did not succeed", id), true
		}
	}
	if ctx.Err() != nil {
		return tool.Errorf(tool.ExecutionError, "interrupted", "skipped, because the run was interrupted"), true
	}
	return nil, false
}

// skipped records an action that is not called because of others.
func (d *Dispatcher) skipped(ctx context.Context, call tool.Call, why *tool.Error) finished {
	v := Verdict{ActionID: call.CallID, Tool: call.Tool}
	if args, err := plainArgs(call.Args); err == nil {
		v.ArgsHash = tool.HashArgs(args)
	}
	return d.recordOnly(ctx, call, v, ending{trace.Skipped, why})
}

// finish takes an action's end into the run.
func (r *running) finish(i int, f finished) {
	r.steps[i], r.done[i] = f.step, true
	if f.result.OK {
		r.payloads[r.actions[i].ActionID] = f.result.Payload
		r.world = Apply(r.world, f.result)
	}
	if f.result.Warning != nil {
		r.warnings = append(r.warnings, f.result.Warning)
	}
	step := f.step
	r.progress.tell(Event{
		Kind: StepFinished, RunID: r.runID, ActionID: r.actions[i].ActionID, Tool: r.actions[i].Tool,
		Total: len(r.actions), Step: &step,
	})
}

// outcome weighs the steps. The person's interruption explains everything after
// it; then what policy stopped; then failures.
func (r *running) outcome(ctx context.Context) Outcome {
	o := Outcome{Status: trace.Done, Steps: r.steps, World: r.world, Payloads: r.payloads, Warnings: r.warnings}
	for _, s := range []trace.Status{trace.Interrupted, trace.Denied, trace.NeedsApproval, trace.Failed, trace.Skipped} {
		i := slices.IndexFunc(r.steps, func(step trace.Step) bool { return step.Status == s })
		if i < 0 {
			continue
		}
		o.Status, o.Error = s, r.steps[i].Error
		if s == trace.Skipped { // nothing failed and yet something was skipped: the run ended between two steps
			o.Status = trace.Failed
			if ctx.Err() == context.Canceled {
				o.Status = trace.Interrupted
			}
		}
		return o
	}
	return o
}
