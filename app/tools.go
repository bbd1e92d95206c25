package app

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"errand/app/planning"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/desktop"
	"errand/host/files"
	"errand/host/system"
	"errand/host/timers"
	"errand/host/tool"
	"errand/planner/plan"
)

// registerTools names the sources of all tools. Those of the program are made once; plugins
// may change.
func (a *App) registerTools() {
	builtin := sync.OnceValue(func() []tool.Tool {
		return slices.Concat(a.systemTools(), desktop.Tools(desktop.Options{LookPath: system.CheckedLookPath(a.conf.CheckProgram), Capture: system.CaptureScreen}), a.timerTools(), a.browserTools())
	})
	ofFiles := sync.OnceValue(a.fileTools)
	a.registry.Register(tool.SourceFunc(func(context.Context) ([]tool.Tool, error) {
		if !a.plugins.Enabled("files") { // one switch is for all of files.*
			return builtin(), nil
		}
		return slices.Concat(builtin(), ofFiles()), nil
	}), a.plugins)
}

func (a *App) systemTools() []tool.Tool {
	return system.Tools(system.Options{
		App:       a.appCommands,
		Apps:      func() []system.App { return planning.SystemApps(a.conf.Catalogue) },
		Installed: a.installed.start,
		Browser:   a.conf.Catalogue.Browser,
		Roots:     a.conf.Roots,
		LookPath:  system.CheckedLookPath(a.conf.CheckProgram),
		Settings:  settings{a},
		OpenURL: func(ctx context.Context, rawURL string) (tool.Result, error) {
			s, err := a.sessions.FromContext(ctx)
			if err != nil {
				return tool.Result{}, err
			}
			return s.OpenURL(ctx, rawURL)
		},
		Allowed: func(ctx context.Context, rawURL string) *tool.Error {
			s, err := a.sessions.FromContext(ctx)
			if err != nil {
				return tool.AsError(err)
			}
			return s.CheckHandOver(ctx, rawURL)
		},
	})
}

func (a *App) timerTools() []tool.Tool {
	return timers.Tools(timers.Options{Store: a.storage, Now: func() time.Time { return a.now() }})
}

func (a *App) browserTools() []tool.Tool {
	return actions.New(actions.Options{
		Window: func(ctx context.Context, opens bool) actions.Window {
			s, err := a.sessions.FromContext(ctx)
			if err != nil || !s.ActsInWindow(ctx, opens) {
				return nil
			}
			return s
		},
		Open: func(ctx context.Context) (*page.Browser, error) {
			s, err := a.sessions.FromContext(ctx)
			if err != nil {
				return nil, err
			}
			return s.OpenBrowser(ctx)
		},
		Running: func(ctx context.Context) *page.Browser {
			s, err := a.sessions.FromContext(ctx)
			if err != nil {
				return nil
			}
			return s.RunningBrowser()
		},
		SearchURL: a.conf.Catalogue.SearchURL, Results: a.resultShape,
		Files: actions.Files{Roots: a.conf.Roots, Downloads: a.Downloads},
	})
}

func (a *App) fileTools() []tool.Tool {
	return files.Tools(files.Options{Roots: a.conf.Roots, TrashDir: a.conf.Paths.Trash, Artifact: a.lastArtifact, Now: func() time.Time { return a.now() }})
}

// toolSet returns every tool that the program has now.
func (a *App) toolSet(ctx context.Context) (*tool.Set, error) {
	all, err := a.registry.Tools(ctx)
	if err != nil {
		return nil, err
	}
	if a.replaceTool != nil {
		for i, t := range all {
			all[i] = a.replaceTool(t)
		}
	}
	set, err := tool.NewSet(all...)
	if err == nil {
		set.Off = a.OffTools()
	}
	return set, err
}

// OffTools lists the tools that the user turned off with their plugins.
func (a *App) OffTools() []tool.Off {
	off := a.plugins.OffTools()
	if !a.plugins.Enabled("files") {
		for _, t := range a.fileTools() {
			s := t.Spec()
			off = append(off, tool.Off{Name: s.Name, Plugin: "files", CanAchieve: s.CanAchieve, Effects: s.Effects})
		}
	}
	return off
}

// Tools lists what can be called.
func (a *App) Tools(ctx context.Context) ([]tool.Spec, error) {
	set, err := a.toolSet(ctx)
	if err != nil {
		return nil, err
	}
	return set.Specs(), nil
}

// Capabilities returns what the planner may know of the program's tools. A caller that
// plans many goals calls it once and passes the result in each [planning.Request].
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
