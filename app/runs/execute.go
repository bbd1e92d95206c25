package runs

import (
	"context"
	"maps"
	"slices"

	"errand/app/answers"
	"errand/app/drafts"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// execute evaluates a plan, then runs it or saves it as a draft. A plan that needs approval
// becomes a draft, and so does a plan from a free-text answer. done are the steps of earlier
// attempts that are not repeated. The result is in x.report.
func (x *attempt) execute(ctx context.Context, p plan.Plan, done map[string]trace.Step) {
	e, err := x.evaluate(ctx, p, stepIDs(done))
	if err != nil {
		x.report.fail(ctx, err)
		return
	}
	if x.earlier != nil {
		if problem := e.AllowProblems(); problem != nil && e.Asks() { // no new draft of what can't be done
			x.report.fail(ctx, problem)
			return
		}
	}
	if r := x.runs.o.Replay; r != nil { // the record has the approvals
		x.runPlan(ctx, e.Prepared, r.Actions(), done)
		return
	}
	if a := (permission{x}); a.canAsk() && !a.ask(ctx, &e) {
		return
	}
	partial := x.report.Result != nil && x.report.Result.Status() == plan.Partial && len(done) < p.Len()
	unasked := !e.Asks() && !partial && (!x.dialog.FreeText || e.OnlyReads())
	if e.FirstError() != nil || e.WaitsForHost() || unasked {
		if unasked && e.FirstError() == nil {
			x.reopenPage(ctx, p, nil, done)
		}
		x.rec.report(DecisionEvent{e.Verdicts})
		x.runPlan(ctx, e.Prepared, nil, done) // its gate says why nothing runs, and records it
		x.report.explainHost(e)
		return
	}
	x.report.Verdicts = e.Verdicts
	h, err := x.propose(ctx, e, x.proposal, nil)
	if err != nil {
		x.report.fail(ctx, err)
		return
	}
	x.report.DraftID = h.ID
	h, approved, fault := x.ask(ctx, h, &e)
	switch {
	case approved:
		x.report.Verdicts = nil
		x.applyDraft(ctx, h, e.Prepared, done)
		x.explainUnconfirmed()
	case ctx.Err() != nil:
		x.report.Status, x.report.Error = trace.Interrupted, tool.AsError(ctx.Err())
	case h.State == approval.StateCancelled:
		x.report.Status, x.report.Error = trace.Cancelled, fault
	default:
		x.wait(h, fault)
	}
}

// explainHost reports an unlisted host as the reason why a run was not begun, even if an earlier
// action only needs approval.
func (r *Report) explainHost(e drafts.Evaluation) {
	i := slices.IndexFunc(e.Verdicts, drafts.WaitsForHost)
	if i < 0 || r.Status != trace.NeedsApproval || r.Error == nil {
		return
	}
	err := *r.Error
	err.Message, err.Hint = e.Verdicts[i].Decision.Reason, e.Verdicts[i].Decision.Hint
	r.Error = &err
}

// fail ends a run that could not continue for a reason outside of its plan.
func (r *Report) fail(ctx context.Context, err error) {
	r.Status, r.Error = trace.Failed, tool.AsError(err)
	if ctx.Err() != nil {
		r.Status = trace.Interrupted
	}
}

// applyDraft executes a draft's approved actions and records the outcome. prepared is the
// evaluation of its plan at the approval.
func (x *attempt) applyDraft(ctx context.Context, h drafts.Draft, prepared run.Prepared, done map[string]trace.Step) {
	x.gate.Bind(h)
	x.session.Approve()
	only := h.Approval.IDs()
	x.reopenPage(ctx, h.Plan, only, done)
	steps := x.runPlan(ctx, prepared, only, done)
	x.settleDraft(ctx, h, only, steps)
}

// runPlan runs a prepared plan, or some of its actions, and adds the outcome to the report. It
// returns the steps of this attempt.
func (x *attempt) runPlan(ctx context.Context, prepared run.Prepared, only []string, done map[string]trace.Step) []trace.Step {
	d := x.dispatcher()
	x.session.Plan(x.tools, prepared.Plan)
	out := x.runs.engine(d, x.rec.tellStep).Run(ctx, run.RunRequest{RunID: x.id, Prepared: prepared, World: x.world, Only: only, Done: done})
	x.payloads = out.Payloads
	x.report.Status, x.report.StopReason, x.report.Error = out.Status, out.StopReason, out.Error
	if out.Steps != nil {
		x.report.Steps = out.Steps
	}
	if x.report.Error == nil && len(out.Warnings) > 0 { // done, but not completely recorded
		x.report.Error = out.Warnings[0]
	}
	x.explainDrift()
	x.report.Answer = answers.Compose(prepared.Plan, answers.AllSteps(prepared.Plan, done, out.Steps))
	if err := endCalls(ctx, d); err != nil && x.report.Error == nil { // report what was done
		x.report.Error = tool.AsError(err)
	}
	return out.Steps
}

func stepIDs(done map[string]trace.Step) []string { return slices.Sorted(maps.Keys(done)) }
