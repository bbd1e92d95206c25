// Package question asks policy about calls of tools.
package question

import (
	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/folder"
)

// About returns the question to policy about a call, without a time.
func About(spec tool.Spec, call tool.Call) policy.Request {
	r := policy.Request{
		Kind: policy.KindCall, Origin: plan.Origin(call.Origin), Tool: spec.Name,
		Class: string(spec.SideEffectClass), Effect: string(spec.Effect), Args: call.Args, Run: call.RunID, Call: call.ActionID,
		Opens: spec.OpenedURLs(call.Args), Boundary: spec.Boundary, Several: call.Several, Places: placesOf(call),
	}
	for _, c := range spec.Covers(call.Args) {
		r.Covers = append(r.Covers, policy.Cover(c))
	}
	if len(r.Covers)+len(r.Places) > 0 {
		r.Folders = new(folder.Memory)
	}
	if spec.FromPlugin() {
		r.Plugin = spec.Plugin()
		r.Hosts = append([]string{}, spec.Hosts...) // a plugin may contact only the hosts in its manifest; an empty list permits none
	}
	return r
}

func placesOf(call tool.Call) map[string][]string {
	if len(call.Places) == 0 {
		return nil
	}
	places := make(map[string][]string, len(call.Places))
	for _, p := range call.Places {
		places[p.Path] = []string{p.Real, p.Entry}
	}
	return places
}
