package session

import (
	"slices"

	"errand/host/tool"
	"errand/planner/plan"
)

// Plan notes which calls of a plan open a page for the user to see.
func (s *Session) Plan(tools *tool.Set, p plan.Plan) {
	actions := shownActions(tools, p.Actions())
	s.visit.toShow.Store(&actions)
}

// shownActions returns the ids of the actions that open a page for the user to see: no later
// action uses the page, or one does more than read it or save files of it.
func shownActions(tools *tool.Set, actions []plan.Action) []string {
	var ids []string
	for _, a := range actions {
		if use, _ := pageUse(tools, a); use != tool.OpensPage {
			continue
		}
		onPage, reads, changes := map[string]bool{a.ActionID: true}, false, false
		for _, b := range actions {
			use, effect := pageUse(tools, b)
			if !use.NeedsPage() || !slices.ContainsFunc(b.DependsOn, func(id string) bool { return onPage[id] }) {
				continue
			}
			onPage[b.ActionID] = true
			if effect == tool.EffectRead || effect == tool.EffectFile {
				reads = true
			} else {
				changes = true
			}
		}
		if changes || !reads {
			ids = append(ids, a.ActionID)
		}
	}
	return ids
}

// pageUse returns how an action uses its run's page, and its effect by its arguments.
func pageUse(tools *tool.Set, a plan.Action) (tool.PageUse, tool.Effect) {
	t, ok := tools.Get(a.Tool)
	if !ok {
		return tool.NoPage, ""
	}
	spec := t.Spec()
	if c, can := t.(tool.Classifier); can {
		return spec.PageUse(a.Args), c.DeclaredEffect(tool.Call{Tool: a.Tool, Args: a.Args})
	}
	return spec.PageUse(a.Args), spec.Effect
}
