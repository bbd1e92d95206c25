package plan

import (
	"slices"
	"unicode/utf8"

	"errand/planner/message"
)

// ValidToolName reports whether name is a valid tool name: 1 to 64 ASCII letters, digits,
// dots, dashes or underscores. It avoids a regular expression because every tool of every
// plan is checked.
func ValidToolName(name string) bool {
	if len(name) < 1 || len(name) > 64 {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

// validate checks the rules of the GoalPlanner contract, section 10, and the enumerations
// of the planner contract.
func (c Content) validate() error {
	if len(c.Actions) == 0 {
		return message.Error("plan_file.no_actions")
	}
	if !slices.Contains(Origins(), c.Origin) {
		return message.Error("plan_file.unknown_origin", "origin", c.Origin)
	}
	index := make(map[string]int, len(c.Actions))
	for i, a := range c.Actions {
		if a.ActionID == "" {
			return message.Error("plan_file.action_without_id", "index", i+1)
		}
		if _, twice := index[a.ActionID]; twice {
			return message.Error("plan_file.duplicate_action_id", "action_id", a.ActionID)
		}
		index[a.ActionID] = i
		if err := a.validate(); err != nil {
			return message.Error("plan_file.bad_action", "action_id", a.ActionID, "cause", err)
		}
	}
	if _, ok := index[c.GoalAchievedBy]; !ok {
		return message.Error("plan_file.unknown_goal_action", "action_id", c.GoalAchievedBy)
	}
	for _, m := range c.Modules {
		for _, id := range m.Actions {
			if _, ok := index[id]; !ok {
				return message.Error("plan_file.unknown_module_action", "module", m.ID, "action_id", id)
			}
		}
	}
	for _, e := range c.Entities {
		if !share(e.Confidence) {
			return message.Error("plan_file.bad_entity_confidence", "query", e.Query, "confidence", e.Confidence)
		}
	}
	if v := c.Inputs.Voice; v != nil && !share(v.Confidence) {
		return message.Error("plan_file.bad_voice_confidence", "confidence", v.Confidence)
	}
	for _, r := range c.Risks {
		if !slices.Contains([]RiskKind{Bulk, Destructive, Ambiguous, MissingRequired, RateLimitRisk}, r.Kind) {
			return message.Error("plan_file.unknown_risk_kind", "kind", r.Kind)
		}
	}
	return acyclic(c.Actions, index)
}

// share reports whether x is between 0 and 1. NaN is not.
func share(x float64) bool { return x >= 0 && x <= 1 }

func (a Action) validate() error {
	switch {
	case !ValidToolName(a.Tool):
		return message.Error("plan_file.bad_tool_name", "tool", a.Tool)
	case !utf8.ValidString(a.ActionID):
		return message.Error("plan_file.action_id_not_utf8", "action_id", a.ActionID)
	case !share(a.Confidence):
		return message.Error("plan_file.bad_confidence", "confidence", a.Confidence)
	case a.RiskLevel != Low && a.RiskLevel != Medium && a.RiskLevel != High:
		return message.Error("plan_file.unknown_risk_level", "risk_level", a.RiskLevel)
	}
	return nil
}

// acyclic removes actions without unmet dependencies until all are removed. An error means
// that the dependencies have a cycle.
func acyclic(actions []Action, index map[string]int) error {
	waiting := make([]int, len(actions))
	dependents := make([][]int, len(actions))
	for i, a := range actions {
		for _, need := range a.DependsOn {
			j, ok := index[need]
			if !ok {
				return message.Error("plan_file.unknown_dependency", "action_id", a.ActionID, "need", need)
			}
			waiting[i]++
			dependents[j] = append(dependents[j], i)
		}
	}
	var ready []int
	for i, n := range waiting {
		if n == 0 {
			ready = append(ready, i)
		}
	}
	done := 0
	for ; len(ready) > 0; done++ {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, j := range dependents[i] {
			if waiting[j]--; waiting[j] == 0 {
				ready = append(ready, j)
			}
		}
	}
	if done < len(actions) {
		return message.Error("plan_file.dependency_cycle")
	}
	return nil
}
