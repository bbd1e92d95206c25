package core

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"errand/app/planning"
	"errand/host/browser"
	"errand/host/files"
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
// plans many goals asks once and gives it to each [planning.Request].
func (a *App) Capabilities(ctx context.Context) ([]plan.Capability, error) {
	specs, err := a.Tools(ctx)
	if err != nil {
		return nil, err
	}
	return planning.Capabilities(specs), nil
}

// appCommands finds how an app of the catalogue is started.
func (a *App) appCommands(id string) ([][]string, bool) {
	app, ok := a.conf.Catalogue.App(id)
	if !ok {
		return nil, false
	}
	return app.Commands(runtime.GOOS), true
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
		if !isText || !filepath.IsAbs(path) || files.Climbs(path) {
			continue
		}
		for _, root := range a.conf.Roots() {
			if !files.Within(root, path) {
				continue
			}
			if err := os.MkdirAll(root, 0o755); err != nil {
				return tool.Errorf(tool.ExecutionError, "root_unwritable", "make the folder %s: %v", root, err)
			}
		}
	}
	return nil
}
