package app

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"errand/app/config"
	"errand/app/planning"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/desktop"
	"errand/host/files"
	"errand/host/system"
	"errand/host/tool"
	"errand/planner/plan"
)

// registerTools names the sources of all tools. Those of the program are made once; plugins
// may change.
func (a *App) registerTools() {
	builtin := sync.OnceValue(func() []tool.Tool {
		return slices.Concat(a.systemTools(nil), a.desktopTools(), TimersOf(a).tools(), a.browserTools(nil))
	})
	ofFiles := sync.OnceValue(func() []tool.Tool { return a.fileTools(nil) })
	a.registry.Register(tool.SourceFunc(func(ctx context.Context) ([]tool.Tool, error) {
		tools, files := builtin, ofFiles
		if granted := tool.FoldersFrom(ctx); len(granted) > 0 {
			tools = func() []tool.Tool {
				return slices.Concat(a.systemTools(granted), a.desktopTools(), TimersOf(a).tools(), a.browserTools(granted))
			}
			files = func() []tool.Tool { return a.fileTools(granted) }
		}
		if !a.plugins.Enabled("files") { // one switch is for all of files.*
			return tools(), nil
		}
		return slices.Concat(tools(), files()), nil
	}), a.plugins, a.servers)
}

func (a *App) systemTools(granted []string) []tool.Tool {
	return system.Tools(system.Options{
		App:       appCommands(a.conf),
		Apps:      func() []system.App { return planning.SystemApps(a.conf.Catalogue) },
		Installed: a.installed.start,
		AppNames:  a.installed.names,
		Browser:   a.conf.Catalogue.Browser,
		Roots:     rootsWith(a.conf, granted),
		Granted:   granted,
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

func (a *App) desktopTools() []tool.Tool {
	return desktop.Tools(desktop.Options{LookPath: system.CheckedLookPath(a.conf.CheckProgram), Capture: system.CaptureScreen})
}

func (a *App) browserTools(granted []string) []tool.Tool {
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
		SearchURL: a.conf.Catalogue.SearchURL, Results: resultShapes(a.conf),
		Files: actions.Files{Roots: rootsWith(a.conf, granted), Granted: granted, Downloads: a.Downloads},
	})
}

func (a *App) fileTools(granted []string) []tool.Tool {
	return files.Tools(files.Options{Roots: rootsWith(a.conf, granted), Granted: granted, TrashDir: a.conf.Paths.Trash, Artifact: a.lastArtifact, Now: func() time.Time { return a.now() }})
}

// toolSet returns every tool that the program has now. With [tool.WithFolders] they may use
// these folders, too.
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
		for _, t := range a.fileTools(nil) {
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

// appCommands returns what finds how an app of the catalogue is started.
func appCommands(conf *config.Loaded) func(id string) ([][]string, bool) {
	return func(id string) ([][]string, bool) {
		app, ok := conf.Catalogue.App(id)
		if !ok {
			return nil, false
		}
		return app.Commands(runtime.GOOS), true
	}
}

// resultShapes returns how the catalogue says that a host's pages of results are made.
func resultShapes(conf *config.Loaded) func(host string) (actions.ResultShape, bool) {
	return func(host string) (actions.ResultShape, bool) {
		site, ok := conf.Catalogue.SiteOf(host)
		if !ok || site.Results.Row == "" {
			return actions.ResultShape{}, false
		}
		return actions.ResultShape(site.Results), true
	}
}

// rootsWith returns the configured folders and those that the user granted beside them.
func rootsWith(conf *config.Loaded, granted []string) func() []string {
	if len(granted) == 0 {
		return conf.Roots
	}
	return func() []string { return append(conf.Roots(), granted...) }
}
