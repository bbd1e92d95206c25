package core

import (
	"context"
	"slices"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// judged is a plan with the door's word on each of its actions, as of now. What
// is done already is judged no more: a folder that was deleted is not there.
type judged struct {
	plan     plan.Plan
	verdicts []run.Verdict
	done     []string
	rests    []string // ids of the grants that the verdicts rest on, sorted
	actions  []DraftAction
	terms    approval.Terms
}

// judge asks the door about every action, without calling anything.
func (x *execution) judge(ctx context.Context, p plan.Plan, done []string) (judged, error) {
	if err := x.equip(ctx); err != nil {
		return judged{}, err
	}
	d := x.dispatcher()
	j := judged{plan: p, done: done, verdicts: d.Preview(ctx, x.id, p)}
	if err := x.endCalls(ctx, d); err != nil {
		return j, err
	}
	if err := ctx.Err(); err != nil {
		return j, tool.AsError(err)
	}
	for i, v := range j.verdicts {
		if slices.Contains(done, v.ActionID) {
			j.verdicts[i].Error, j.verdicts[i].Decision = nil, policy.Decision{Verdict: policy.Allow, Reason: "it is done"}
		}
	}
	for _, v := range j.verdicts {
		j.rests = append(j.rests, v.Decision.Grants()...)
	}
	slices.Sort(j.rests)
	j.rests = slices.Compact(j.rests)
	j.actions = proposed(p, j.verdicts)
	j.terms = x.app.terms(p, j)
	return j, nil
}

// invalid is the first fault of an action, and how a run with it ends. Nobody
// is asked about a plan that can't run.
func (j judged) invalid() *tool.Error {
	for _, v := range j.verdicts {
		if v.Error != nil {
			return v.Error
		}
		if v.Decision.Verdict == policy.Deny {
			return denied(v.Decision)
		}
	}
	return nil
}

// unlisted reports whether an action waits for a host, and not for a yes.
func (j judged) unlisted() bool {
	return slices.ContainsFunc(j.verdicts, waitsForHost)
}

func waitsForHost(v run.Verdict) bool {
	return v.Decision.Verdict == policy.Ask && !approvable(v.Decision)
}

func (j judged) asks() bool {
	return slices.ContainsFunc(j.verdicts, func(v run.Verdict) bool { return v.Decision.Verdict == policy.Ask })
}

// reads reports whether nothing of it changes anything.
func (j judged) reads() bool {
	return !slices.ContainsFunc(j.verdicts, func(v run.Verdict) bool { return v.Class() != tool.Read })
}

// rehearse stops before the first call: policy's verdict for each action, and
// the status that a run would begin with.
func (x *execution) rehearse(ctx context.Context, p plan.Plan) {
	report := &x.report
	j, err := x.judge(ctx, p, nil)
	if err != nil {
		report.Error = tool.AsError(err)
		return
	}
	report.Verdicts, report.Confirm = verdicts(j.verdicts), j.terms.Confirm
	fault := j.invalid()
	switch {
	case fault != nil:
		report.Status, report.Error = trace.Failed, fault
		if fault.Class == tool.PolicyDenied {
			report.Status = trace.Denied
		}
	case j.asks() && (!x.request.Yes || j.unlisted()):
		report.Status = trace.NeedsApproval
	default:
		report.Status = trace.Done
	}
}

// terms are what an approval of a plan binds to, as everything stands now.
func (a *App) terms(p plan.Plan, j judged) approval.Terms {
	c := p.Content()
	t := approval.Terms{PlanDigest: p.Digest(), PolicyDigest: a.grants.Digest(j.rests), Modules: c.Modules, Questions: c.NeedsClarification}
	var left []string
	for i, action := range c.Actions {
		t.Actions = append(t.Actions, approval.Action{
			ID: action.ActionID, Tool: action.Tool, ToolDigest: j.verdicts[i].Spec.Fingerprint(), ArgsHash: j.verdicts[i].ArgsHash, DependsOn: action.DependsOn,
		})
		if slices.Contains(j.done, action.ActionID) {
			t.Done = append(t.Done, action.ActionID)
			continue
		}
		left = append(left, action.ActionID)
	}
	t.Confirm = toConfirm(j.actions, left)
	return t
}
