package core

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/plugins"
)

// pluginSet is the plugins that are loaded. What is installed may change while
// the program is open, by its own hand or by another process's: the lock file is
// looked at each time that somebody asks for the plugins, and those that changed
// are loaded anew.
type pluginSet struct {
	app *App

	mu     sync.Mutex
	loaded []plugin
	out    []*tool.Error // why plugins are left out
	lock   os.FileInfo   // of which loaded is; nil: there was none
	known  bool          // loaded is something, and nothing is left out that may be mended by now
	told   []string      // what was said of those left out
}

// plugin is a loaded plugin and where it came from.
type plugin struct {
	*wasm.Plugin
	pluginFolder
}

// pluginFolder is where a plugin may be loaded from.
type pluginFolder struct {
	name    string // of the folder, or "bundled/ID"
	fs      fs.FS  // nil for one that is installed
	bundled bool
	entry   *install.Entry // of one that is installed
}

// same reports whether f, found now, is what the plugin was loaded from.
func (p plugin) same(f pluginFolder) bool {
	if p.entry == nil || f.entry == nil {
		return p.entry == f.entry && p.name == f.name
	}
	return p.name == f.name && p.entry.Module == f.entry.Module && maps.EqualFunc(p.entry.Grants, f.entry.Grants, slices.Equal)
}

func (a *App) store() *install.Store { return install.New(a.conf.Paths.Data, a.now) }

// current answers the plugins as they are installed now.
func (s *pluginSet) current() ([]plugin, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const tries = 10 // another process may change them meanwhile
	var err error
	for range tries {
		lock := s.app.lockInfo()
		if s.known && sameFile(lock, s.lock) {
			return s.loaded, nil
		}
		var loaded []plugin
		var out []*tool.Error
		if loaded, out, err = s.app.loadPlugins(s.loaded); err == nil {
			s.replace(loaded)
			s.lock, s.known, s.out = lock, len(out) == 0, out
		}
		if s.known || sameFile(lock, s.app.lockInfo()) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	s.tell()
	return s.loaded, nil
}

// tell says which plugins are left out, each as long as something else is wrong
// with it than what was said.
func (s *pluginSet) tell() {
	var now []string
	for _, why := range s.out {
		if now = append(now, why.Message); s.app.o.LeftOut != nil && !slices.Contains(s.told, why.Message) {
			s.app.o.LeftOut(why)
		}
	}
	s.told = now
}

// forget has the plugins looked at anew: the lock was just written.
func (s *pluginSet) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = false
}

// replace puts others in the place of the plugins, and unloads those that are
// not among them.
func (s *pluginSet) replace(loaded []plugin) {
	for _, old := range s.loaded {
		if !slices.ContainsFunc(loaded, func(p plugin) bool { return p.Plugin == old.Plugin }) {
			unload(old.Plugin)
		}
	}
	s.loaded = loaded
}

// unload ends a plugin. What is not over by then is released once it is.
func unload(p *wasm.Plugin) {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	_ = p.Close(ctx)
}

func (a *App) lockInfo() os.FileInfo {
	info, err := os.Stat(filepath.Join(a.conf.Paths.Data, install.LockFile))
	if err != nil {
		return nil
	}
	return info
}

// sameFile reports whether the lock was not written meanwhile: each time it is
// another file.
func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// loadPlugins reads the manifests of the bundled, installed and configured
// plugins; nothing is compiled, and those of before that did not change are
// kept. One that can't be read is left out, and the others are not worse for it:
// a file that was spoilt must not keep anybody from what has nothing to do with
// it. Who lacks its tools is told, since plans are others without them.
func (a *App) loadPlugins(before []plugin) (loaded []plugin, out []*tool.Error, err error) {
	h, err := a.wasm()
	if err != nil {
		return nil, nil, err
	}
	lock, err := a.store().Installed()
	if err != nil { // then nobody can say what is installed
		lock, out = install.Lock{}, append(out, tool.AsError(err))
	}
	folders, err := a.foldersOfPlugins(lock)
	if err != nil {
		return nil, nil, err
	}
	drop := func(p plugin) { // that nobody will have
		if !slices.ContainsFunc(before, func(old plugin) bool { return old.Plugin == p.Plugin }) {
			unload(p.Plugin)
		}
	}
	for _, f := range folders {
		if !a.conf.Plugins.Enabled(f.id()) || f.entry != nil && !f.entry.Enabled {
			continue
		}
		p, err := a.loadPlugin(h, f, before)
		switch {
		case err != nil && f.bundled: // the program itself is not whole
			for _, p := range loaded {
				drop(p)
			}
			return nil, nil, err
		case err != nil:
			out = append(out, tool.AsError(err))
			continue
		}
		id := p.Manifest().ID
		if !a.conf.Plugins.Enabled(id) {
			drop(p)
			continue
		}
		if i := slices.IndexFunc(loaded, func(other plugin) bool { return other.Manifest().ID == id }); i >= 0 {
			drop(p)
			out = append(out, tool.Errorf(tool.ValidationError, "plugin_twice", "the plugin %s is in both %s and %s, of which the first is taken", id, loaded[i].name, f.name).
				WithHint("remove one of the folders, or give one of the plugins another id"))
			continue
		}
		loaded = append(loaded, p)
	}
	a.bindSecrets(loaded)
	return loaded, out, nil
}

// loadPlugin loads one plugin, unless it was before.
func (a *App) loadPlugin(h *wasm.Host, f pluginFolder, before []plugin) (plugin, error) {
	for _, old := range before {
		if old.same(f) {
			return plugin{old.Plugin, f}, nil
		}
	}
	switch {
	case f.bundled: // built with the program: its digest is held at the first call
		p, err := h.LoadBundled(f.fs)
		if err != nil {
			return plugin{}, unreadable(f, err)
		}
		return plugin{p, f}, nil
	case a.conf.Plugins.RequireSignature && (f.entry == nil || f.entry.Signer == ""):
		return plugin{}, unreadable(f, tool.Errorf(tool.ToolUnavailable, "unsigned", "it is not signed, and require_signature is set in [plugins]").
			WithHint("install a signed one, or add its author's key to trusted_keys and install it again"))
	case f.entry != nil:
		return a.loadInstalled(h, f)
	}
	p, err := h.Load(f.fs)
	if err != nil {
		return plugin{}, unreadable(f, err)
	}
	return plugin{p, f}, nil
}

// loadInstalled loads a plugin that is what was installed.
func (a *App) loadInstalled(h *wasm.Host, f pluginFolder) (plugin, error) {
	files, err := a.store().Open(*f.entry)
	if err != nil {
		return plugin{}, unreadable(f, err)
	}
	p, err := h.Load(files)
	if err != nil || p.Digest() != f.entry.Module {
		if p != nil {
			unload(p)
		}
		if changed := a.store().Verify(*f.entry, install.Trust{}); changed != nil {
			err = changed
		}
		return plugin{}, unreadable(f, err)
	}
	return plugin{p, f}, nil
}

// id is the plugin's, as far as the place tells it.
func (f pluginFolder) id() string {
	if f.entry != nil {
		return f.entry.ID
	}
	return filepath.Base(f.name)
}

func unreadable(f pluginFolder, err error) *tool.Error {
	e := *tool.AsError(err)
	remedy := fmt.Sprintf("errand plugin disable %s switches it off", f.id())
	if f.entry == nil {
		e.Message = fmt.Sprintf("load the plugin in %s: %s", f.name, e.Message)
		remedy = fmt.Sprintf("mend or remove the folder, or set enabled = false in [plugins.%s]", f.id())
	} else {
		e.Message = fmt.Sprintf("load the plugin %s: %s", f.id(), e.Message)
	}
	if e.Hint != "" {
		remedy = e.Hint + "; or " + remedy
	}
	return e.WithHint("%s", remedy)
}

// pluginFolders lists the bundled plugins, those that are installed, and those
// that a person put into the data folder or a folder of plugins.dirs: each a
// folder with a plugin.toml.
func (a *App) pluginFolders() ([]pluginFolder, error) {
	lock, err := a.store().Installed()
	if err != nil {
		return nil, err
	}
	return a.foldersOfPlugins(lock)
}

func (a *App) foldersOfPlugins(lock install.Lock) ([]pluginFolder, error) {
	var folders []pluginFolder
	bundled, err := plugins.Bundled()
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(bundled)) {
		folders = append(folders, pluginFolder{name: "bundled/" + id, fs: bundled[id], bundled: true})
	}
	for i := range lock.Plugins {
		e := &lock.Plugins[i]
		folders = append(folders, pluginFolder{name: a.store().Folder(*e), entry: e})
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
			continue // nothing is there; a data folder that can't be used is the record's to report
		}
		if err != nil {
			return nil, tool.Errorf(tool.ValidationError, "plugins_unreadable", "read the plugins of %s: %v", dir, err).
				WithHint("mend dirs in [plugins], or make the folder")
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if _, err := os.Stat(filepath.Join(path, "plugin.toml")); err == nil {
				folders = append(folders, pluginFolder{name: path, fs: os.DirFS(path)})
			}
		}
	}
	return folders, nil
}

// grantedTo is the folders that were granted to an installed plugin.
func (a *App) grantedTo(id string) map[string][]string {
	lock, err := a.store().Installed()
	if err != nil {
		return nil
	}
	if e := lock.Find(id); e != nil {
		return e.Grants
	}
	return nil
}
