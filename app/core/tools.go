package core

import (
	"context"
	"os"
	"path/filepath"
	"runtime"

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

// withRoots makes the granted folder that a call names, if it is not there yet:
// a new machine has no ~/Documents, and the person said that it may be used.
func (a *App) withRoots(t tool.Tool) tool.Tool {
	if len(t.Spec().Paths) == 0 {
		return t
	}
	return rooted{t, a}
}

type rooted struct {
	tool.Tool
	app *App
}

// Prepare passes on to the tool, which embedding alone would hide.
func (t rooted) Prepare(ctx context.Context) error {
	if p, ok := t.Tool.(tool.Preparer); ok {
		return p.Prepare(ctx)
	}
	return nil
}

// Reconcile passes on to the tool as well; one that can't find out does not.
func (t rooted) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	if r, ok := t.Tool.(tool.Reconciler); ok {
		return r.Reconcile(ctx, call)
	}
	return tool.Reconciled{Effect: tool.Unknown}, nil
}

func (t rooted) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	for _, arg := range call.Args {
		path, isText := arg.(string)
		if !isText || !filepath.IsAbs(path) || files.Climbs(path) {
			continue
		}
		for _, root := range t.app.conf.Roots() {
			if !files.Within(root, path) {
				continue
			}
			if err := os.MkdirAll(root, 0o755); err != nil {
				return tool.Result{}, tool.Errorf(tool.ExecutionError, "root_unwritable", "make the folder %s: %v", root, err)
			}
		}
	}
	return t.Tool.Call(ctx, call)
}
