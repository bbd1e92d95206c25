package planning

import (
	"runtime"
	"slices"
	"strings"

	"errand/host/system"
	"errand/host/tool"
	"errand/planner/catalogue"
	"errand/planner/plan"
)

// Capabilities is what the planner may know of tools.
func Capabilities(specs []tool.Spec) []plan.Capability {
	caps := make([]plan.Capability, len(specs))
	for i, s := range specs {
		caps[i] = plan.Capability{
			Name: s.Name, CanAchieve: s.CanAchieve, Requires: s.Requires, Effects: s.Effects,
			Params: s.Params(), ReadOnly: s.SideEffectClass == tool.Read, RiskLevel: Risk(s), Preference: s.Preference,
		}
	}
	return caps
}

// Risk grades a tool by what can't be undone: deleting is high, other writes with a
// lasting effect are medium.
func Risk(s tool.Spec) plan.RiskLevel {
	deletes := slices.ContainsFunc(s.CanAchieve, func(key string) bool { return strings.HasPrefix(key, "delete_") })
	switch {
	case deletes || s.Effect == tool.EffectCommit || s.SideEffectClass == tool.Auth:
		return plan.High
	case s.Effect == tool.EffectFile || s.Effect == tool.EffectInput:
		return plan.Medium
	}
	return plan.Low
}

// SystemApps is the catalogue as far as the system's tools need it.
func SystemApps(c *catalogue.Catalogue) []system.App {
	var apps []system.App
	for _, app := range c.Apps() {
		if commands := app.Commands(runtime.GOOS); len(commands) > 0 {
			apps = append(apps, system.App{ID: app.ID, Exec: commands, Browser: app.Browser})
		}
	}
	return apps
}
