package plancheck

import (
	"context"

	"errand/app/grants"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

func (e *Expect) setDecision(d policy.Decision) {
	verdict := d.Verdict.String()
	e.Verdict, e.Rule = &verdict, &d.Rule
}

// decide asks policy about a call or a URL, by its spelling alone: the same on a
// machine without a network.
func (k *Checker) decide(ctx context.Context, c Case) (policy.Decision, error) {
	if c.URL != "" {
		return k.Policy.DecideURL(c.URL), nil
	}
	check, err := k.Policy.CheckCall(ctx, grants.CallQuestion{Tool: c.Call.Tool, Args: c.Call.Args, Origin: c.Call.Origin, AfterReading: c.Call.AfterReading})
	if err != nil {
		return policy.Decision{}, message.Error("plan_check.ask_policy", "cause", err)
	}
	return policy.Decision{Verdict: check.Verdict, Rule: check.Rule}, nil
}

// strictest is the first of the strictest decisions on a plan's actions.
func (k *Checker) strictest(ctx context.Context, p plan.Plan) (policy.Decision, error) {
	decisions, err := k.Decide(ctx, p)
	if err != nil {
		return policy.Decision{}, message.Error("plan_check.ask_policy", "cause", err)
	}
	worst := policy.Decision{Verdict: policy.Allow}
	for i, d := range decisions {
		if worst = worst.Stricter(d); i == 0 {
			worst = d
		}
	}
	return worst, nil
}
