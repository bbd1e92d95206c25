package run

import (
	"context"
	"slices"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// approve checks all calls before the first one runs, and asks for approval. approved
// maps the ids of approved calls to the hashes of their arguments. If ok is false,
// all calls are recorded: failed ones with their error, the others as skipped.
func (b *batch) approve(ctx context.Context) (approved map[string]string, ok bool) {
	verdicts := b.takePrepared()
	if verdicts == nil {
		verdicts, b.readings = b.e.d.preview(ctx, b.calls, b.deps, b.index)
	}
	faults := make([]ending, len(verdicts))
	blocked := false
	for i, v := range verdicts {
		if end, stopped := v.stop(ctx); stopped {
			faults[i], blocked = end, true
		}
	}
	approved = map[string]string{}
	for i, v := range verdicts {
		if blocked { // don't ask about calls that can't run
			break
		}
		if v.Decision.Verdict != policy.Ask {
			continue
		}
		if status, fault := b.e.d.ask(ctx, b.calls[i], v); fault != nil {
			faults[i] = ending{status, fault}
			blocked = true
			continue
		}
		approved[v.ActionID] = v.ArgsHash
	}
	if !blocked {
		return approved, true
	}
	explainOthers(verdicts, faults)
	for i, v := range verdicts {
		b.finish(i, b.e.d.recordOnly(ctx, b.calls[i], v, faults[i]))
	}
	return nil, false
}

// takePrepared returns the verdicts that were prepared for the calls, or nil if
// one is missing.
func (b *batch) takePrepared() []Verdict {
	prepared := b.rc.prepared
	b.rc.prepared = nil
	verdicts, specs := make([]Verdict, len(b.calls)), make([]tool.Spec, len(b.calls))
	for i, c := range b.calls {
		at := slices.IndexFunc(prepared, func(v Verdict) bool { return v.ActionID == c.ActionID })
		if at < 0 {
			return nil
		}
		verdicts[i], specs[i] = prepared[at], prepared[at].effectiveSpec()
	}
	b.readings = findBatchReadings(specs, b.deps, b.index)
	b.readings.escalate(verdicts, b.calls)
	return verdicts
}

// explainOthers sets the errors of the remaining calls. If there is no user to
// ask, each call that needs approval says so, not only the first.
func explainOthers(verdicts []Verdict, faults []ending) {
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
			faults[i] = ending{trace.Skipped, tool.NewError(cause.fault.Class, "not_run", message.New("run.not_run", "id", causeID))}
		}
	}
}

// recordOnly records a call without making it.
func (d *Dispatcher) recordOnly(ctx context.Context, call tool.Call, v Verdict, end ending) callResult {
	r := d.begin(call)
	r.setVerdict(v)
	result, step := r.end(ctx, end.status, tool.Result{Error: end.fault})
	return callResult{result, step}
}
