package core

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"errand/app/demo"
	"errand/host/event"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/wasm"
	"errand/plugins"
	"errand/policy/guard"
)

// parts are what a use case may need and most don't: each is opened at its
// first use, once, and closed by the App.
type parts struct {
	storage func() (*store.Store, error)
	site    func() (*demo.Site, error) // nil site unless Options.Demo
	guard   func() (*guard.Guard, error)
	wasm    func() (*wasm.Host, error)
	plugins func() ([]plugin, error)
}

func lazily(a *App) parts {
	return parts{
		storage: opening(a.openStore),
		site:    opening(a.openSite),
		guard: opening(func() (*guard.Guard, error) {
			return a.newGuard(outside{a}, guard.Budget{}, func(c guard.Connection) { a.listen(trace.KindConnection, connectionData(c)) })
		}),
		wasm:    opening(a.openWasm),
		plugins: opening(a.loadPlugins),
	}
}

// opening opens a part at its first use and keeps it. A failure is not kept: the
// window lives on after the disk has room again or a plugin was mended.
func opening[T any](open func() (T, error)) func() (T, error) {
	var mu sync.Mutex
	var part T
	opened := false
	return func() (T, error) {
		mu.Lock()
		defer mu.Unlock()
		if opened {
			return part, nil
		}
		p, err := open()
		if err == nil {
			part, opened = p, true
		}
		return p, err
	}
}

func (a *App) openStore() (*store.Store, error) {
	s, err := store.Open(context.Background(), a.conf.Paths.Data, store.Options{Publish: func(news []event.Event) {
		if b := a.bus.Load(); b != nil {
			b.Tell(news...)
		}
	}})
	if err != nil {
		return nil, err
	}
	a.own(s.Close)
	bus := event.NewBus(s)
	a.bus.Store(bus)
	a.own(func() error { bus.Close(); return nil })
	return s, nil
}

func (a *App) openSite() (*demo.Site, error) {
	if !a.o.Demo {
		return nil, nil
	}
	var hosts []string
	for _, pattern := range a.conf.Catalogue.HostPatterns() {
		if !strings.ContainsAny(pattern, "*/:!") {
			hosts = append(hosts, pattern)
		}
	}
	site, err := demo.Start(context.Background(), hosts...)
	if err != nil {
		return nil, fmt.Errorf("start the demo site: %w", err)
	}
	a.own(site.Close)
	return site, nil
}

// forgetOld removes what is older than [store] retention_days, once for each
// time that the program is opened. Its failure costs room, not a run.
func (a *App) forgetOld() {
	days := a.conf.Store.RetentionDays
	if days == 0 {
		return
	}
	a.pruned.Do(func() {
		s, err := a.storage()
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
		defer cancel()
		_, _ = s.Prune(ctx, a.now().AddDate(0, 0, -days))
	})
}

// newGuard makes the door to the network. Only the demo puts addresses in place
// of names.
func (a *App) newGuard(d guard.Decider, budget guard.Budget, record func(guard.Connection)) (*guard.Guard, error) {
	site, err := a.site()
	if err != nil {
		return nil, err
	}
	o := guard.Options{Record: record, Budget: budget}
	if site != nil {
		o.Overrides = site.Hosts()
	}
	return guard.New(d, o), nil
}

func (a *App) openWasm() (*wasm.Host, error) {
	g, err := a.guard()
	if err != nil {
		return nil, err
	}
	bundled, err := plugins.Bundled()
	if err != nil {
		return nil, err
	}
	h := wasm.New(wasm.Options{
		// Nobody else's plugin may go by a name that grants are written for, not even
		// where the bundled one is switched off.
		Reserved: append(slices.Sorted(maps.Keys(bundled)), "system", "browser"),
		CacheDir: a.pluginCache(),
		Client: func(caller string, hosts []string) *http.Client {
			return a.pluginClient(g, caller, hosts)
		},
		Roots:  map[string][]string{"files.roots": a.conf.Roots()},
		Config: func(plugin string) map[string]any { return a.conf.Plugins.ByID[plugin].Config },
		Log:    a.pluginLog,
	})
	a.own(func() error { return h.Close(context.Background()) })
	return h, nil
}

// pluginLog passes what a plugin logs on to the run that is under way.
func (a *App) pluginLog(plugin, level, message string) {
	a.listen("plugin", map[string]any{"plugin": plugin, "level": level, "message": message})
}

// listen notes what a plugin does with the newest run that is under way.
func (a *App) listen(kind string, data map[string]any) {
	if note := a.listening.Load(); note != nil {
		(*note)(kind, data)
	}
}

// loadPlugins reads the manifests of the bundled, installed and configured
// plugins; nothing is compiled. One plugin that can't be read stops all: a tool
// that silently lacks would change plans.
func (a *App) loadPlugins() ([]plugin, error) {
	h, err := a.wasm()
	if err != nil {
		return nil, err
	}
	folders, err := a.pluginFolders()
	if err != nil {
		return nil, err
	}
	var loaded []plugin
	for _, f := range folders {
		id := path.Base(f.name)
		if !a.conf.Plugins.Enabled(id) {
			continue
		}
		load := h.Load
		if f.bundled { // built with the program: its digest is held at the first call
			load = h.LoadBundled
		}
		p, err := load(f.fs)
		if err != nil {
			return nil, unreadable(f.name, id, err)
		}
		if !a.conf.Plugins.Enabled(p.Manifest().ID) {
			continue
		}
		for _, other := range loaded {
			if other.Manifest().ID == p.Manifest().ID {
				return nil, tool.Errorf(tool.ValidationError, "plugin_twice", "the plugin %s is in both %s and %s", p.Manifest().ID, other.from, f.name).
					WithHint("remove one of the folders, or give one of the plugins another id")
			}
		}
		loaded = append(loaded, plugin{p, f.name})
	}
	a.bindSecrets(loaded)
	return loaded, nil
}

// plugin is a loaded plugin and the folder it came from, or "bundled".
type plugin struct {
	*wasm.Plugin
	from string
}

func unreadable(folder, id string, err error) *tool.Error {
	e := *tool.AsError(err)
	e.Message = fmt.Sprintf("load the plugin in %s: %s", folder, e.Message)
	remedy := fmt.Sprintf("mend or remove the folder, or set enabled = false in [plugins.%s]", id)
	if e.Hint != "" {
		remedy = e.Hint + "; or " + remedy
	}
	return e.WithHint("%s", remedy)
}

type pluginFolder struct {
	name    string
	fs      fs.FS
	bundled bool
}

// pluginFolders lists the bundled plugins, then those in the data folder and in
// plugins.dirs: each a folder with a plugin.toml.
func (a *App) pluginFolders() ([]pluginFolder, error) {
	var folders []pluginFolder
	bundled, err := plugins.Bundled()
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(bundled)) {
		folders = append(folders, pluginFolder{"bundled/" + id, bundled[id], true})
	}
	dirs := []string{filepath.Join(a.conf.Paths.Data, "plugins")}
	for _, dir := range a.conf.Plugins.Dirs {
		dir, err := a.conf.Expand(dir)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	for i, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil && i == 0 {
			continue // nothing is installed; a data folder that can't be used is the record's to report
		}
		if err != nil {
			return nil, tool.Errorf(tool.ValidationError, "plugins_unreadable", "read the plugins of %s: %v", dir, err).
				WithHint("mend dirs in [plugins], or make the folder")
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if _, err := os.Stat(filepath.Join(path, "plugin.toml")); err == nil {
				folders = append(folders, pluginFolder{path, os.DirFS(path), false})
			}
		}
	}
	return folders, nil
}
