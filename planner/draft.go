package planner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/planner/plan"
)

// draft makes the actions of a schedule, with what follows from the order
// alone: ids, tools, dependencies, effects and reasons.
func (t *task) draft(o outcome, w *words) []plan.Action {
	s := o.schedule
	actions := make([]plan.Action, len(s.ops))
	for i, step := range s.ops {
		actions[i] = plan.Action{
			ActionID: actionID(i), Tool: t.operators[step].tool.Name, Args: map[string]any{}, DependsOn: []string{}, Confidence: 1,
		}
		for _, n := range s.needs[i] {
			actions[i].DependsOn = append(actions[i].DependsOn, actionID(n))
		}
	}
	for i, p := range t.purposes(s, o.goal) {
		if len(p.goals) > 0 {
			actions[i].ExpectedEffect = p.goals[0]
			actions[i].Reason = fmt.Sprintf(w.reaches, w.list(p.goals))
			continue
		}
		if len(p.serves) > 0 {
			actions[i].ExpectedEffect = p.serves[0]
			actions[i].Reason = fmt.Sprintf(w.supplies, p.serves[0], actionID(p.served))
		}
	}
	return actions
}

func actionID(i int) string { return fmt.Sprintf("a%d", i+1) }

// purpose is why a step is in a plan: goals that it reaches, or else what it
// supplies and the step that first requires it.
type purpose struct {
	goals  []string
	serves []string
	served int
}

// purposes follows each requirement, and each goal, to the step that made it
// hold.
func (t *task) purposes(s schedule, goal []lit) []purpose {
	out := make([]purpose, len(s.ops))
	maker := map[lit]int{} // only what the plan itself caused
	have := slices.Clone(t.init)
	for i, step := range s.ops {
		for _, l := range t.ops[step].pre {
			j, ok := maker[l]
			if !ok {
				continue
			}
			if len(out[j].serves) == 0 {
				out[j].served = i
			}
			if out[j].served == i {
				out[j].serves = append(out[j].serves, t.literal(l))
			}
		}
		for _, l := range t.ops[step].del {
			have[l] = false
			delete(maker, l)
		}
		for _, l := range t.ops[step].add {
			if !have[l] {
				have[l], maker[l] = true, i
			}
		}
	}
	for _, l := range goal {
		if j, ok := maker[l]; ok {
			out[j].goals = append(out[j].goals, t.literal(l))
		}
	}
	for i := range out {
		slices.Sort(out[i].goals)
		slices.Sort(out[i].serves)
	}
	return out
}

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

// scope gives each action the key under which its effect counts once: the tool
// and a digest of the arguments, numbered where a plan repeats them.
func scope(actions []plan.Action) {
	seen := map[string]int{}
	for i, a := range actions {
		key := a.Tool
		if len(a.Args) > 0 {
			digest := sha256.New()
			for _, name := range slices.Sorted(maps.Keys(a.Args)) {
				fmt.Fprintf(digest, "%s\x00%v\x00", name, a.Args[name])
			}
			key += ":" + hex.EncodeToString(digest.Sum(nil)[:8])
		}
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s:%d", key, seen[key])
		}
		actions[i].IdempotencyScope = key
	}
}

// risksOf flags a plan as a whole.
func risksOf(actions []plan.Action, w *words) []plan.Risk {
	var risks []plan.Risk
	if n := len(actions); n >= plan.BulkFrom {
		risks = append(risks, plan.Risk{Kind: plan.Bulk, Details: fmt.Sprintf(w.bulk, w.actions(n))})
	}
	var deletes []string
	for _, a := range actions {
		if a.RiskLevel == plan.High && !a.ReadOnly && deletesByName(a) {
			what, named := a.Args["path"].(string)
			if !named {
				what = a.Preview
			}
			deletes = append(deletes, what)
		}
	}
	if len(deletes) > 0 {
		risks = append(risks, plan.Risk{Kind: plan.Destructive, Details: fmt.Sprintf(w.destructive, strings.Join(deletes, ", "))})
	}
	return risks
}

// deletesByName tells a deleting action by its effect or its tool.
func deletesByName(a plan.Action) bool {
	if strings.HasSuffix(a.ExpectedEffect, "_deleted") {
		return true
	}
	last := a.Tool[strings.LastIndexByte(a.Tool, '.')+1:]
	for _, verb := range []string{"delete", "remove", "rm"} {
		if last == verb || strings.HasPrefix(last, verb+"_") {
			return true
		}
	}
	return false
}
