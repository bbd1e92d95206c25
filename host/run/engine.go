package run

import (
	"context"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// EngineOptions are how an [Engine] works.
type EngineOptions struct {
	// Parallel is how many actions that don't depend on one another run at
	// once. 0: one.
	Parallel int
	// Progress is told when steps start and finish, in order, in a goroutine
	// of its own. A slow listener misses nothing and holds up nothing but its
	// own later events: a run has at most two events an action, and all have
	// room. Run waits for the listener for up to a second at the end.
	Progress func(Event)
}

// Engine carries plans out through a [Dispatcher]. It may be used by several
// goroutines at once, each with a run of its own.
type Engine struct {
	d *Dispatcher
	o EngineOptions
}

// NewEngine makes an engine. It owns nothing; the dispatcher stays the
// caller's to close.
func NewEngine(d *Dispatcher, o EngineOptions) *Engine {
	o.Parallel = max(o.Parallel, 1)
	return &Engine{d, o}
}

// Outcome is what came of a plan.
type Outcome struct {
	// Status is done, failed, denied (by policy or a person), needs_approval
	// (nothing was run and somebody has to be asked) or interrupted.
	Status trace.Status
	Steps  []trace.Step // one for each action, in the plan's order, as recorded
	World  plan.World   // after the last action
	Error  *tool.Error  // the first one that explains Status; nil when done

	Payloads map[string]any // by action id, of the actions that worked; not redacted
	Warnings []*tool.Error  // faults beside the calls: a record that could not be written
}

// Run carries out a plan. First the whole plan is judged, and a person asked
// about what needs it: a plan with an action that is wrong, denied or not
// approved runs nothing. Then independent actions run side by side, and an
// action whose dependency did not succeed is skipped, while others go on. The
// world changes only by what actions report after they have acted.
//
// The run must have begun in the log; Run neither begins nor ends it. It
// returns when ctx has ended and the calls under way have, within their grace.
func (e *Engine) Run(ctx context.Context, runID string, p plan.Plan, w plan.World) Outcome {
	if p.IsZero() {
		return Outcome{
			Status: trace.Failed, World: w, Steps: []trace.Step{}, Payloads: map[string]any{},
			Error: tool.Errorf(tool.ValidationError, "no_plan", "there is no plan to carry out"),
		}
	}
	r := newRunning(e, runID, p, w)
	defer r.progress.close()
	if approved, ok := r.gate(ctx); ok {
		r.carryOut(ctx, approved)
	}
	return r.outcome(ctx)
}

// gate judges every action before any runs, and asks. If it is not passed, all
// actions are recorded: those at fault with their fault, the others skipped.
// Approved maps the ids of approved actions to the hashes of their arguments.
func (r *running) gate(ctx context.Context) (approved map[string]string, ok bool) {
	verdicts := r.e.d.preview(ctx, r.calls)
	faults := make([]ending, len(verdicts))
	blocked := false
	for i, v := range verdicts {
		if end, stopped := v.stop(ctx); stopped {
			faults[i], blocked = end, true
		}
	}
	approved = map[string]string{}
	for i, v := range verdicts {
		if blocked { // nobody is asked about a plan that can't run
			break
		}
		if v.Decision.Verdict != policy.Ask {
			continue
		}
		if status, fault := r.e.d.ask(ctx, r.calls[i], v); fault != nil {
			faults[i] = ending{status, fault}
			blocked = true
			continue
		}
		approved[v.ActionID] = v.ArgsHash
	}
	if !blocked {
		return approved, true
	}
	r.explainOthers(verdicts, faults)
	for i, v := range verdicts {
		r.finish(i, r.e.d.recordOnly(ctx, r.calls[i], v, faults[i]))
	}
	return nil, false
}

// explainOthers fills the faults of the actions that were not at fault. Where
// nobody can be asked, each action that needs it says so, not the first alone.
func (r *running) explainOthers(verdicts []Verdict, faults []ending) {
	var cause ending
	var causeID string
	for i, f := range faults {
		if f.fault != nil {
			cause, causeID = f, verdicts[i].ActionID
			break
		}
	}
	for i, v := range verdicts {
		switch {
		case faults[i].fault != nil:
		case cause.status == trace.NeedsApproval && v.Decision.Verdict == policy.Ask:
			faults[i] = ending{trace.NeedsApproval, needsApproval(v.Decision)}
		default:
			faults[i] = ending{trace.Skipped, tool.Errorf(cause.fault.Class, "not_run", "not run, because of %s", causeID)}
		}
	}
}

// recordOnly records an action that is not called.
func (d *Dispatcher) recordOnly(ctx context.Context, call tool.Call, v Verdict, end ending) finished {
	r := d.begin(call)
	r.judged(v)
	result, step := r.end(ctx, end.status, tool.Result{Error: end.fault})
	return finished{result, step}
}
