package plan

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
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
		return errors.New("a plan needs at least one action; a goal that already holds has no plan")
	}
	if !slices.Contains(Origins(), c.Origin) {
		return fmt.Errorf("origin %q is not one of user_goal, request, upload, task, agent, mcp", c.Origin)
	}
	index := make(map[string]int, len(c.Actions))
	for i, a := range c.Actions {
		if a.ActionID == "" {
			return fmt.Errorf("action %d has no action_id", i+1)
		}
		if _, twice := index[a.ActionID]; twice {
			return fmt.Errorf("action_id %q is used twice", a.ActionID)
		}
		index[a.ActionID] = i
		if err := a.validate(); err != nil {
			return fmt.Errorf("action %s: %w", a.ActionID, err)
		}
	}
	if _, ok := index[c.GoalAchievedBy]; !ok {
		return fmt.Errorf("goal_achieved_by %q is none of the actions", c.GoalAchievedBy)
	}
	for _, m := range c.Modules {
		for _, id := range m.Actions {
			if _, ok := index[id]; !ok {
				return fmt.Errorf("module %s: action %q does not exist", m.ID, id)
			}
		}
	}
	for _, e := range c.Entities {
		if !share(e.Confidence) {
			return fmt.Errorf("entity %q: confidence %v is outside 0..1", e.Query, e.Confidence)
		}
	}
	if v := c.Inputs.Voice; v != nil && !share(v.Confidence) {
		return fmt.Errorf("voice: confidence %v is outside 0..1", v.Confidence)
	}
	for _, r := range c.Risks {
		if !slices.Contains([]RiskKind{Bulk, Destructive, Ambiguous, MissingRequired, RateLimitRisk}, r.Kind) {
			return fmt.Errorf("risk kind %q is unknown", r.Kind)
		}
	}
	return acyclic(c.Actions, index)
}

// share reports whether x is between 0 and 1. NaN is not.
func share(x float64) bool { return x >= 0 && x <= 1 }

func (a Action) validate() error {
	switch {
	case !ValidToolName(a.Tool):
		return fmt.Errorf("tool name %q is not 1 to 64 letters, digits, dots, dashes or underscores", a.Tool)
	case !utf8.ValidString(a.ActionID):
		return fmt.Errorf("action_id %q is not UTF-8", a.ActionID)
	case !share(a.Confidence):
		return fmt.Errorf("confidence %v is outside 0..1", a.Confidence)
	case a.RiskLevel != Low && a.RiskLevel != Medium && a.RiskLevel != High:
		return fmt.Errorf("risk_level %q is not LOW, MEDIUM or HIGH", a.RiskLevel)
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
				return fmt.Errorf("action %s depends on %q, which does not exist", a.ActionID, need)
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
		return errors.New("depends_on has a cycle")
	}
	return nil
}
