package run

import (
	"context"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// approve takes the verdicts of all calls before the first one runs, and asks for approval. approved
// maps the ids of approved calls to the hashes of their arguments. If ok is false,
// all calls are recorded: failed ones with their error, the others as skipped.
func (b *batch) approve(ctx context.Context) (approved map[string]string, ok bool) {
	var verdicts []Verdict
	verdicts, b.readings = b.e.d.evaluateAll(ctx, b.calls, b.deps, b.index, b.rc.prepared)
	b.subjects = newBatchSubjects(verdicts, b.rc.prepared)
	faults := make([]ending, len(verdicts))
	blocked := false
	for i, v := range verdicts {
		if end, stopped := v.stop(ctx); stopped {
			faults[i], blocked = end, true
		}
		if fault := b.callErrors[v.ActionID]; fault != nil {
			faults[i], blocked = ending{trace.Failed, fault}, true
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

// explainOthers sets the errors of the remaining calls. If there is no user to
// ask, each call that needs approval says so, not only the first.
func explainOthers(verdicts []Verdict, faults []ending) {
	var cause ending
	var causeID string
	for i, f := range faults {
		if f.err != nil {
			cause, causeID = f, verdicts[i].ActionID
			break
		}
	}
	for i, v := range verdicts {
		switch {
		case faults[i].err != nil:
		case cause.status == trace.NeedsApproval && v.Decision.Verdict == policy.Ask:
			faults[i] = ending{trace.NeedsApproval, needsApproval(v.Decision)}
		default:
			faults[i] = ending{trace.Skipped, tool.NewError(cause.err.Class, "not_run", message.New("run.not_run", "id", causeID))}
		}
	}
}

// recordOnly records a call without making it.
func (d *Dispatcher) recordOnly(ctx context.Context, call tool.Call, v Verdict, end ending) callResult {
	r := d.begin(call)
	r.setVerdict(v)
	result, step := r.end(ctx, end.status, tool.Result{Error: end.err})
	return callResult{result, step}
}
