package approval

import (
	"slices"

	"errand/planner/plan"
)

// Statuses of a module.
const (
	ModuleDraft   = "DRAFT"   // nobody has approved it yet
	ModuleReady   = "READY"   // nothing outside of it is in the way
	ModuleBlocked = "BLOCKED" // an action outside of it has to be done first
)

// ModulesNow are the Draft's modules with the status that follows from what is
// approved and done. A module is BLOCKED until every action outside of it that
// its own depend on, however indirectly, is done. Then it is READY, as is a
// module that depends on nothing outside and whose actions are all approved or
// done. It is a DRAFT before that.
func (d Draft) ModulesNow() []plan.Module {
	out := cloneModules(d.Modules)
	for i, m := range out {
		parents := d.parents(m)
		switch {
		case !within(parents, d.Done):
			out[i].Status = ModuleBlocked
		case len(parents) > 0 || d.agreed(m.Actions):
			out[i].Status = ModuleReady
		default:
			out[i].Status = ModuleDraft
		}
	}
	return out
}

// parents are the actions outside of a module that its own depend on.
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

// agreed reports whether each of the actions is approved or done.
func (d Draft) agreed(ids []string) bool {
	var yes []string
	if d.Approval != nil && (d.State == StateReady || d.State == StateApplying || d.State == StateApplied) {
		for _, a := range d.Approval.Actions {
			yes = append(yes, a.ID)
		}
	}
	return len(ids) > 0 && within(ids, append(yes, d.Done...))
}

// within reports whether all ids are among those of a set.
func within(ids, set []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(set, id) })
}

func cloneModules(modules []plan.Module) []plan.Module {
	out := clone(modules)
	for i := range out {
		out[i].Actions, out[i].ContextRefs = slices.Clone(out[i].Actions), slices.Clone(out[i].ContextRefs)
	}
	return out
}
