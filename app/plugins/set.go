// Package plugins keeps the set of plugins that the program can use: bundled,
// installed, or put into a folder by hand. It loads, lists, verifies, installs,
// updates and removes them.
package plugins

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"errand/app/config"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/planner/message"
	"errand/plugins"
)

// closeTimeout bounds how long a plugin or a host may take to end.
const closeTimeout = 8 * time.Second

// ClientFor makes the HTTP client of a plugin's tool. It enforces policy and the
// hosts of the plugin's manifest.
type ClientFor = func(caller string, hosts []string) *http.Client

// Options are what a [Set] needs of the program.
type Options struct {
	Config *config.Loaded
	Now    func() time.Time
	// Client opens what the clients of plugins' tools need.
	Client func() (ClientFor, error)
	// Log gets what plugins log; ctx is that of the call.
	Log func(ctx context.Context, plugin, level string, line message.Message)
	// AddCloser registers what ends the program's use of plugins.
	AddCloser func(closer func() error)
	// OnLoad gets the plugins each time that they were loaded. Nil: no callback.
	OnLoad func([]Plugin)
	// LeftOut gets each plugin that can't be loaded, once until the cause changes.
	// Nil: no callback.
	LeftOut func(*tool.Error)
}

// Set is the plugins that are loaded. The lock file may change while the program
// is open, also by another process: each use checks it and reloads the plugins
// that changed. A Set may be used by several goroutines at once.
type Set struct {
	Secrets KnownSecrets // of the loaded plugins

	o Options

	opening sync.Mutex
	host    *wasm.Host // nil before the first use

	mu       sync.Mutex
	loaded   []Plugin
	skipped  []*tool.Error     // why plugins are left out
	lock     os.FileInfo       // of the lock file when they were loaded; nil: there was none
	current  bool              // loaded is up to date, and no plugin is left out
	reported []message.Message // messages about plugins that are left out

	enabled sync.Map // ids of plugins to what Enable wrote into errand.toml
}

// New makes a set. It reads nothing before its first use.
func New(o Options) *Set { return &Set{o: o} }

// Host returns the host that runs plugins, and opens it at the first call.
func (s *Set) Host() (*wasm.Host, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.host != nil {
		return s.host, nil
	}
	client, err := s.o.Client()
	if err != nil {
		return nil, err
	}
	reserved, err := ReservedIDs()
	if err != nil {
		return nil, err
	}
	s.host = wasm.New(wasm.Options{
		Reserved:      reserved,
		CacheDir:      s.CacheDir(),
		KeyFile:       s.KeyFile(),
		Client:        client,
		Roots:         map[string][]string{"files.roots": s.o.Config.Roots()},
		Usable:        s.o.Config.Grantable,
		Config:        func(plugin string) map[string]any { return s.o.Config.Plugins.ByID[plugin].Config },
		FormerSecrets: func(plugin string) []string { return formerSecrets(s.store(), plugin) },
		OtherSecrets:  s.Secrets.Others,
		Effort:        s.o.Config.Plugins.Effort,
		Preferred:     func(plugin string) bool { return s.o.Config.Plugins.ByID[plugin].Preferred },
		Log:           s.o.Log,
		Display:       func(tool string) display.Tool { return plugins.Displays()[tool] }, // the ids of the bundled ones are reserved
	})
	s.o.AddCloser(func() error { return s.host.Close(context.Background()) })
	return s.host, nil
}

// CacheDir is the folder of compiled modules.
func (s *Set) CacheDir() string { return filepath.Join(s.o.Config.Paths.Cache, "plugins") }

// KeyFile holds the key that seals the cache.
func (s *Set) KeyFile() string { return filepath.Join(s.o.Config.Paths.Data, "plugin-code.key") }

// Effort returns how much compiling a plugin may take, see [wasm.Options].
func (s *Set) Effort(id string) int { return s.o.Config.Plugins.Effort(id) }

// Client returns what makes HTTP clients for plugins' tools.
func (s *Set) Client() (ClientFor, error) { return s.o.Client() }

// Tools implements [tool.Source].
func (s *Set) Tools(ctx context.Context) ([]tool.Tool, error) {
	plugins, err := s.Load()
	if err != nil {
		return nil, err
	}
	var all []tool.Tool
	for _, p := range plugins {
		all = append(all, p.ToolsWith(tool.FoldersFrom(ctx))...)
	}
	return all, nil
}

// OffTools lists the tools of the plugins that the user turned off. A plugin whose manifest
// can't be read has none.
func (s *Set) OffTools() []tool.Off {
	folders, err := s.folders()
	if err != nil {
		return nil
	}
	var off []tool.Off
	for _, f := range folders {
		if s.isOn(f) {
			continue
		}
		p, err := s.readPlace(f)
		if err != nil {
			continue
		}
		for _, t := range p.Manifest.Tools {
			off = append(off, tool.Off{Name: t.Name, Plugin: p.Manifest.ID, CanAchieve: t.CanAchieve, Effects: t.Effects})
		}
	}
	return off
}

func (s *Set) store() *install.Store { return install.New(s.o.Config.Paths.Data, s.o.Now) }

// Load returns the enabled plugins as they are installed now.
func (s *Set) Load() ([]Plugin, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const tries = 10 // another process may change them meanwhile
	var err error
	for range tries {
		lock := s.lockInfo()
		if s.current && isSameFile(lock, s.lock) {
			return s.loaded, nil
		}
		var loaded []Plugin
		var out []*tool.Error
		if loaded, out, err = s.loadAll(s.loaded); err == nil {
			s.replace(loaded)
			s.lock, s.current, s.skipped = lock, len(out) == 0, out
		}
		if s.current || isSameFile(lock, s.lockInfo()) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	s.reportLeftOut()
	return s.loaded, nil
}

// reportLeftOut passes on why plugins are left out, each message once until it
// changes.
func (s *Set) reportLeftOut() {
	var now []message.Message
	for _, why := range s.skipped {
		if now = append(now, why.Message); s.o.LeftOut != nil && !slices.ContainsFunc(s.reported, why.Message.Equal) {
			s.o.LeftOut(why)
		}
	}
	s.reported = now
}

// reload loads the plugins after a change of the lock file. It returns no error:
// the change stands, and the next call of Load reports what can't be loaded.
func (s *Set) reload() {
	s.mu.Lock()
	s.current = false
	s.mu.Unlock()
	_, _ = s.Load()
}

// replace sets the loaded plugins and unloads those that are no longer among
// them.
func (s *Set) replace(loaded []Plugin) {
	for _, old := range s.loaded {
		if !slices.ContainsFunc(loaded, func(p Plugin) bool { return p.Plugin == old.Plugin }) {
			unload(old.Plugin)
		}
	}
	s.loaded = loaded
}

// unload ends a plugin. What takes longer than closeTimeout is released later.
func unload(p *wasm.Plugin) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = p.Close(ctx)
}

func (s *Set) lockInfo() os.FileInfo {
	info, err := os.Stat(filepath.Join(s.o.Config.Paths.Data, install.LockFile))
	if err != nil {
		return nil
	}
	return info
}

// isSameFile reports whether the lock file is unchanged. Each write makes a new
// file.
func isSameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}
