package runs

import (
	"context"
	"slices"

	"errand/app/drafts"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// Preview returns the policy decision about each action of a plan. It calls nothing. undoes is the
// run that the plan undoes, or "".
func (rs *Runs) Preview(ctx context.Context, p plan.Plan, undoes string) ([]Verdict, error) {
	x := &attempt{runs: rs, request: Request{Origin: p.Origin(), Voice: p.Content().Inputs.Voice, DryRun: true}}
	x.folders.Undo(undoes)
	end, err := x.open()
	if err != nil {
		return nil, err
	}
	defer end()
	x.folders.KeepFor(p)
	e, err := x.evaluate(ctx, p, nil)
	return e.Verdicts, err
}

// Evaluate decides about a changed plan of a draft. It calls nothing.
func (rs *Runs) Evaluate(ctx context.Context, d drafts.Draft, rec trace.Record, p plan.Plan) (drafts.Evaluation, error) {
	x, end, err := rs.takeUp(d, rec, nil)
	if err != nil {
		return drafts.Evaluation{}, err
	}
	defer end()
	return x.evaluate(ctx, p, d.Done)
}

// evaluate has the dispatcher prepare the plan. It calls nothing. Finished actions are allowed.
func (x *attempt) evaluate(ctx context.Context, p plan.Plan, done []string, change ...func(*run.DispatcherOptions)) (drafts.Evaluation, error) {
	if err := x.equip(ctx); err != nil {
		return drafts.Evaluation{}, err
	}
	d := x.dispatcher(change...)
	e := drafts.Evaluation{Prepared: d.Prepare(ctx, x.id, p), Done: done}
	if x.earlier != nil && x.runs.o.Replay == nil {
		claims, err := x.claims(ctx)
		if err != nil {
			return e, err
		}
		e.BegunActions = d.FindBegun(ctx, x.id, p, claims)
	}
	if err := endCalls(ctx, d); err != nil {
		return e, err
	}
	if err := ctx.Err(); err != nil {
		return e, tool.AsError(err)
	}
	for i, v := range e.Verdicts {
		if slices.Contains(done, v.ActionID) {
			e.Verdicts[i].Error, e.Verdicts[i].Decision = nil, policy.Decision{Verdict: policy.Allow, Reason: message.New("runs.action_done")}
		}
		if slices.Contains(e.BegunActions, v.ActionID) { // the engine finds out what became of it
			e.Verdicts[i].Error = nil
		}
	}
	for _, v := range e.Verdicts {
		e.Grants = append(e.Grants, v.Decision.Grants()...)
	}
	if len(done) == 0 && x.runs.o.Replay == nil {
		x.report.forecasts = e.Verdicts
	}
	slices.Sort(e.Grants)
	e.Grants = slices.Compact(e.Grants)
	e.Terms = x.terms(e)
	return e, nil
}

// claims returns the claims of the run's earlier attempts.
func (x *attempt) claims(ctx context.Context) ([]trace.Claim, error) {
	s, err := x.runs.storage()
	if err != nil {
		return nil, err
	}
	return s.Effects(ctx, x.id)
}

// isCurrent reports whether the policy, the grants and the state of the machine are as
// they were when the plan was evaluated.
func (x *attempt) isCurrent(ctx context.Context, e drafts.Evaluation) (bool, error) {
	if x.runs.o.PolicyDigest(e.Grants) != e.Terms.PolicyDigest {
		return false, nil
	}
	d := x.dispatcher()
	current := d.IsCurrent(ctx, x.id, e.Prepared, slices.Concat(e.Done, e.BegunActions))
	if err := endCalls(ctx, d); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, tool.AsError(err)
	}
	return current, nil
}

// terms returns what an approval of a plan binds to, with the present state of everything.
func (x *attempt) terms(e drafts.Evaluation) approval.Terms {
	c := e.Plan.Content()
	t := approval.Terms{
		PlanDigest: x.seal(e.Plan.Digest()), PolicyDigest: x.runs.o.PolicyDigest(e.Grants), Actions: drafts.ActionsOf(e.Prepared),
		Modules: c.Modules, Questions: slices.Concat(c.NeedsClarification, permission{x}.questions(e)),
	}
	for _, action := range t.Actions {
		if slices.Contains(e.Done, action.ActionID) {
			t.Done = append(t.Done, action.ActionID)
		}
	}
	t.Confirm = drafts.CountRemaining(approval.Draft{Actions: t.Actions, Done: t.Done})
	return t
}

// rehearse stops before the first call: it reports policy's decision for each
// action, and the status that a run would begin with.
func (x *attempt) rehearse(ctx context.Context, p plan.Plan) {
	report := &x.report
	e, err := x.evaluate(ctx, p, nil)
	if err != nil {
		report.Error = tool.AsError(err)
		return
	}
	if a := (permission{x}); a.canAsk() && !a.ask(ctx, &e) {
		return
	}
	report.Verdicts, report.Confirm = e.Verdicts, e.Terms.Confirm
	fault := e.FirstError()
	switch {
	case fault != nil:
		report.Status, report.Error = trace.Failed, fault
		if fault.Class == tool.PolicyDenied {
			report.Status = trace.Denied
		}
	case e.Asks() && (!x.request.Yes || e.WaitsForHost() || len(e.Unconfirmed()) > 0):
		report.Status = trace.NeedsApproval
	default:
		report.Status = trace.Done
	}
}
