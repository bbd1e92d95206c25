package core

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"errand/host/browser"
	"errand/host/system"
	"errand/host/tool"
	"errand/planner/plan"
)

// Tools lists what can be called.
func (a *App) Tools(context.Context) ([]tool.Spec, error) {
	s, err := a.newSession("", func(string, map[string]any) {})
	if err != nil {
		return nil, err
	}
	set, err := s.tools()
	if err != nil {
		return nil, err
	}
	return set.Specs(), nil
}

// Capabilities is what the planner may know of the program's tools. Whoever
// plans many goals asks once and gives it to each [PlanRequest].
func (a *App) Capabilities(ctx context.Context) ([]plan.Capability, error) {
	specs, err := a.Tools(ctx)
	if err != nil {
		return nil, err
	}
	return capabilitiesOf(specs), nil
}

func capabilitiesOf(specs []tool.Spec) []plan.Capability {
	caps := make([]plan.Capability, len(specs))
	for i, s := range specs {
		caps[i] = plan.Capability{
			Name: s.Name, CanAchieve: s.CanAchieve, Requires: s.Requires, Effects: s.Effects,
			Params: s.Params(), ReadOnly: s.SideEffectClass == tool.Read, RiskLevel: riskOf(s),
		}
	}
	return caps
}

// riskOf grades a tool by what can't be taken back: deleting is high, other
// writes that leave something behind are medium.
func riskOf(s tool.Spec) plan.RiskLevel {
	deletes := slices.ContainsFunc(s.CanAchieve, func(key string) bool { return strings.HasPrefix(key, "delete_") })
	switch {
	case deletes || s.Effect == tool.EffectCommit || s.SideEffectClass == tool.Auth:
		return plan.High
	case s.Effect == tool.EffectFile || s.Effect == tool.EffectInput:
		return plan.Medium
	}
	return plan.Low
}

// appCommands finds how an app of the catalogue is started.
func (a *App) appCommands(id string) ([][]string, bool) {
	app, ok := a.conf.Catalogue.App(id)
	if !ok {
		return nil, false
	}
	return app.Commands(runtime.GOOS), true
}

// systemApps is the catalogue as far as the system's tools need it.
func (a *App) systemApps() []system.App {
	var apps []system.App
	for _, app := range a.conf.Catalogue.Apps() {
		if commands := app.Commands(runtime.GOOS); len(commands) > 0 {
			apps = append(apps, system.App{ID: app.ID, Exec: commands, Browser: app.Browser})
		}
	}
	return apps
}

// resultShape is how the catalogue says that a host's pages of results are made.
func (a *App) resultShape(host string) (browser.ResultShape, bool) {
	site, ok := a.conf.Catalogue.SiteOf(host)
	if !ok || site.Results.Row == "" {
		return browser.ResultShape{}, false
	}
	return browser.ResultShape(site.Results), true
}

// beforeCall says why a call can't be made now: the page that it is about is
// gone. For a plugin it makes the granted folder that the call names.
func (s *session) beforeCall(_ context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if gone := s.gone.Load(); gone != nil && slices.Contains(gone.actions, call.CallID) {
		return gone.fault
	}
	if !spec.FromPlugin() || len(spec.Paths) == 0 {
		return nil
	}
	return s.app.makeRoots(call.Args)
}

// makeRoots makes the granted folder that arguments name, if it is not there yet:
// a new machine has no ~/Documents, and the user granted it.
func (a *App) makeRoots(args map[string]any) *tool.Error {
	for _, arg := range args {
		path, isText := arg.(string)
		if !isText || !filepath.IsAbs(path) || climbs(path) {
			continue
		}
		for _, root := range a.conf.Roots() {
			if !within(root, path) {
				continue
			}
			if err := os.MkdirAll(root, 0o755); err != nil {
				return tool.Errorf(tool.ExecutionError, "root_unwritable", "make the folder %s: %v", root, err)
			}
		}
	}
	return nil
}

// insideRoots refuses a path outside of the folders that a tool was granted,
// before anybody is asked about the call. The plugin host holds every call to
// them again, by opening nothing else.
func insideRoots(_ context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if len(spec.Paths) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(call.Args)) {
		path, isText := call.Args[name].(string)
		if !isText || name != "path" || !filepath.IsAbs(path) {
			continue
		}
		granted := slices.ContainsFunc(spec.Paths, func(root string) bool {
			return within(strings.TrimPrefix(root, "ro:"), path)
		})
		if climbs(path) || !granted {
			return tool.Errorf(tool.PolicyDenied, "path_outside_roots", "%s is outside of the folders that %s may touch: %s",
				path, spec.Name, strings.Join(spec.Paths, ", ")).WithHint("add its folder to roots in [files] of errand.toml")
		}
	}
	return nil
}
