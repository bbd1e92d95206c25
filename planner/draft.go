package planner

import (
	"fmt"
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/solve"
)

// draftActions makes the actions of an outcome, with what follows from the order
// alone: ids, tools, dependencies, effects and reasons.
func draftActions(steps []solve.Step) []plan.Action {
	actions := make([]plan.Action, len(steps))
	for i, s := range steps {
		a := plan.Action{ActionID: actionID(i), Tool: s.Tool.Name, Args: map[string]any{}, DependsOn: []string{}, Confidence: 1}
		for _, n := range s.Needs {
			a.DependsOn = append(a.DependsOn, actionID(n))
		}
		switch {
		case len(s.Reaches) > 0:
			a.ExpectedEffect = s.Reaches[0]
			a.Reason = message.New("plan.reaches", "facts", s.Reaches)
		case len(s.Supplies) > 0:
			a.ExpectedEffect = s.Supplies[0]
			a.Reason = message.New("plan.supplies", "fact", s.Supplies[0], "action", actionID(s.SuppliesTo))
		}
		actions[i] = a
	}
	return actions
}

func actionID(i int) string { return fmt.Sprintf("a%d", i+1) }

// riskOf is the level of one action: what the tool says, HIGH if it deletes,
// MEDIUM for a write that says nothing.
func riskOf(c plan.Capability, deletes bool) plan.RiskLevel {
	switch {
	case deletes:
		return plan.High
	case c.RiskLevel != "":
		return c.RiskLevel
	case c.ReadOnly:
		return plan.Low
	}
	return plan.Medium
}

// setScopes gives each action the key under which its effect counts once.
func setScopes(actions []plan.Action) {
	for i, a := range actions {
		actions[i].IdempotencyScope = plan.Scope(a.Tool, a.ActionID)
	}
}

// risksOf flags a plan as a whole.
func risksOf(actions []plan.Action) []plan.Risk {
	var risks []plan.Risk
	if n := len(actions); n >= plan.BulkFrom {
		risks = append(risks, plan.Risk{Kind: plan.Bulk, Details: message.New("plan.risk_bulk", "count", n)})
	}
	risks = append(risks, plan.RateLimitRisks(actions)...)
	var deletes []any // paths, or previews of actions without one
	for _, a := range actions {
		if a.RiskLevel == plan.High && !a.ReadOnly && deletesByName(a) {
			if path, ok := a.Args["path"].(string); ok {
				deletes = append(deletes, path)
			} else {
				deletes = append(deletes, a.Preview)
			}
		}
	}
	if len(deletes) > 0 {
		risks = append(risks, plan.Risk{Kind: plan.Destructive, Details: message.New("plan.risk_deletes", "items", deletes)})
	}
	return risks
}

// deletesByName tells a deleting action by its effect or its tool.
func deletesByName(a plan.Action) bool {
	return strings.HasSuffix(a.ExpectedEffect, "_deleted") || plan.IsDeletion(a.Tool)
}
