package app

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"errand/app/planning"

	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/files"
	"errand/host/system"
	"errand/host/tool"
	"errand/planner/plan"
)

// registerTools names the sources of all tools.
func (a *App) registerTools() {
	a.registry.Register(tool.SourceFunc(a.systemTools), tool.SourceFunc(a.browserTools), tool.SourceFunc(a.fileTools), a.plugins)
}

func (a *App) systemTools(context.Context) ([]tool.Tool, error) {
	return system.Tools(system.Options{
		App:     a.appCommands,
		Apps:    func() []system.App { return planning.SystemApps(a.conf.Catalogue) },
		Browser: a.conf.Catalogue.Browser,
		OpenURL: func(ctx context.Context, rawURL string) (tool.Result, error) {
			s, err := a.callingSession(ctx)
			if err != nil {
				return tool.Result{}, err
			}
			return s.openURL(ctx, rawURL)
		},
		Allowed: func(ctx context.Context, rawURL string) *tool.Error {
			s, err := a.callingSession(ctx)
			if err != nil {
				return tool.AsError(err)
			}
			return s.mayHandOver(ctx, rawURL)
		},
	}), nil
}

func (a *App) browserTools(context.Context) ([]tool.Tool, error) {
	return actions.New(actions.Options{
		Open: func(ctx context.Context) (*page.Browser, error) {
			s, err := a.callingSession(ctx)
			if err != nil {
				return nil, err
			}
			return s.open(ctx)
		},
		Running: func(ctx context.Context) *page.Browser {
			s, err := a.callingSession(ctx)
			if err != nil {
				return nil
			}
			return s.running()
		},
		SearchURL: a.conf.Catalogue.SearchURL, Results: a.resultShape,
		Files: actions.Files{Roots: a.conf.Roots, Downloads: a.Downloads},
	}), nil
}

// fileTools are none where the plugin "files" is switched off: one switch is for
// all of files.*.
func (a *App) fileTools(context.Context) ([]tool.Tool, error) {
	if !a.conf.Plugins.Enabled("files") {
		return nil, nil
	}
	return files.Tools(files.Options{Roots: a.conf.Roots, Made: a.made, Now: a.now}), nil
}

// callingSession is the session of the run whose call ctx belongs to.
func (a *App) callingSession(ctx context.Context) (*session, error) {
	c, _ := tool.CallerFrom(ctx)
	if s := a.sessionOf(c.RunID); s != nil {
		return s, nil
	}
	return nil, tool.Errorf(tool.ToolUnavailable, "no_run", "%s was called outside of a run", c.Tool)
}

// toolSet is every tool that the program has now.
func (a *App) toolSet(ctx context.Context) (*tool.Set, error) {
	all, err := a.registry.Tools(ctx)
	if err != nil {
		return nil, err
	}
	if a.instead != nil {
		for i, t := range all {
			all[i] = a.instead(t)
		}
	}
	return tool.NewSet(all...)
}

// Tools lists what can be called.
func (a *App) Tools(ctx context.Context) ([]tool.Spec, error) {
	set, err := a.toolSet(ctx)
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
func (a *App) resultShape(host string) (actions.ResultShape, bool) {
	site, ok := a.conf.Catalogue.SiteOf(host)
	if !ok || site.Results.Row == "" {
		return actions.ResultShape{}, false
	}
	return actions.ResultShape(site.Results), true
}

// beforeCall says why a call can't be made now: the page that it is about is
// gone. For a plugin it makes the granted folder that the call names.
func (s *session) BeforeCall(_ context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if lost := s.lost.Load(); lost != nil && slices.Contains(lost.actions, call.CallID) {
		return lost.fault
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
