package approval

import (
	"slices"

	"errand/planner/plan"
)

// Statuses of a module.
const (
	ModuleDraft   = "DRAFT"   // not approved yet
	ModuleReady   = "READY"   // doesn't wait for actions outside the module
	ModuleBlocked = "BLOCKED" // waits for an action outside the module
)

// ModulesNow returns the Draft's modules with their current status. A module is BLOCKED
// until every outside action that it depends on, directly or indirectly, is done. After
// that it is READY. A module without outside dependencies is READY once all of its actions
// are approved or done, and a DRAFT before that.
func (d Draft) ModulesNow() []plan.Module {
	out := cloneModules(d.Modules)
	for i, m := range out {
		parents := d.parents(m)
		switch {
		case !containsAll(parents, d.Done):
			out[i].Status = ModuleBlocked
		case len(parents) > 0 || d.isApprovedOrDone(m.Actions):
			out[i].Status = ModuleReady
		default:
			out[i].Status = ModuleDraft
		}
	}
	return out
}

// parents returns the outside actions that a module's actions depend on.
func (d Draft) parents(m plan.Module) []string {
	var parents, seen []string
	queue := slices.Clone(m.Actions)
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if slices.Contains(seen, id) {
			continue
		}
		seen = append(seen, id)
		if !slices.Contains(m.Actions, id) {
			parents = append(parents, id)
		}
		a, _ := d.action(id)
		queue = append(queue, a.DependsOn...)
	}
	return parents
}

// isApprovedOrDone reports whether every action is approved or done.
func (d Draft) isApprovedOrDone(ids []string) bool {
	var approvedTools []string
	if d.Approval != nil && (d.State == StateReady || d.State == StateApplying || d.State == StateApplied) {
		approvedTools = d.Approval.IDs()
	}
	return len(ids) > 0 && containsAll(ids, append(approvedTools, d.Done...))
}

// containsAll reports whether set contains all ids.
func containsAll(ids, set []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(set, id) })
}

func cloneModules(modules []plan.Module) []plan.Module {
	out := clone(modules)
	for i := range out {
		out[i].Actions, out[i].ContextRefs = slices.Clone(out[i].Actions), slices.Clone(out[i].ContextRefs)
	}
	return out
}
