package core

import (
	"context"
	"fmt"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// draft keeps a plan that needs a person's approval, bound to its digest and to
// each action's arguments.
func (x *execution) draft(ctx context.Context, p plan.Plan, set *tool.Set) (string, error) {
	c := p.Content()
	t := approval.Terms{PlanDigest: p.Digest(), PolicyDigest: x.app.gate.Digest(), Questions: c.NeedsClarification, Modules: c.Modules}
	for _, a := range c.Actions {
		var spec tool.Spec
		if found, ok := set.Get(a.Tool); ok {
			spec = found.Spec()
		}
		t.Actions = append(t.Actions, approval.Action{
			ID: a.ActionID, Tool: a.Tool, ToolDigest: spec.Fingerprint(), ArgsHash: tool.HashArgs(a.Args), DependsOn: a.DependsOn,
		})
	}
	d, err := approval.Propose(x.app.newID(), t, x.app.now())
	if err != nil {
		return "", fmt.Errorf("draft the plan: %w", err)
	}
	s, err := x.app.storage()
	if err != nil {
		return "", err
	}
	clean, err := x.app.cleanJSON(p) // the digest is of the plan as it was
	if err != nil {
		return "", fmt.Errorf("draft the plan: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return d.ID, s.SaveDraft(ctx, store.Draft{Draft: d, RunID: x.id, Plan: clean})
}

// approvable reports whether a yes is what an action waits for. A host that is
// not on the list is allowed by the list or for one run, never by a yes.
func approvable(d policy.Decision) bool { return d.Rule != policy.RuleUnlisted }

func unlisted(s trace.Step) bool { return s.Rule == policy.RuleUnlisted }
