package plugins

import (
	"io/fs"
	"maps"
	"slices"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/planner/message"
)

// Plugin is a loaded plugin and the folder that it was loaded from.
type Plugin struct {
	*wasm.Plugin
	folder
}

// folder is where a plugin can be loaded from.
type folder struct {
	name    string // path of the folder, or "bundled/ID"
	fs      fs.FS  // nil for an installed plugin
	bundled bool
	entry   *install.Entry // nil unless it is installed
	// installed are the installed plugins, whose ids a folder that somebody put there must
	// not have: grants and settings go by the id.
	installed []install.Entry
	// dropped is the folder's name below plugins in the data folder, if somebody put
	// it there. It needs consent.
	dropped string
	consent *install.Consent // what the user agreed to of a dropped one; nil: nothing
}

// isFrom reports whether the plugin was loaded from exactly what f is now.
func (p Plugin) isFrom(f folder) bool {
	if p.dropped != "" || f.dropped != "" {
		return p.name == f.name && p.consent != nil && f.consent != nil && *p.consent == *f.consent
	}
	if p.entry == nil || f.entry == nil {
		return p.entry == f.entry && p.name == f.name
	}
	return p.name == f.name && p.entry.Module == f.entry.Module && maps.EqualFunc(p.entry.Grants, f.entry.Grants, slices.Equal)
}

// loadAll reads the manifests of all enabled plugins and keeps those of before
// that did not change. It compiles nothing. A plugin that can't be loaded is left
// out with its error and does not affect the others.
func (s *Set) loadAll(before []Plugin) (loaded []Plugin, out []*tool.Error, err error) {
	h, err := s.Host()
	if err != nil {
		return nil, nil, err
	}
	lock, lockErr := s.readLock()
	if lockErr != nil { // which plugins are installed is unknown
		lock, out = install.Lock{}, append(out, tool.AsError(lockErr))
	}
	folders, err := s.foldersWith(lock)
	if err != nil {
		return nil, nil, err
	}
	if lockErr != nil { // whether the user agreed to a dropped one is unknown, too
		folders = slices.DeleteFunc(folders, func(f folder) bool { return f.dropped != "" })
	}
	all := s.loadFolders(h, folders, before, false)
	for _, l := range all {
		switch {
		case l.err != nil && l.bundled: // the program itself is damaged
			for _, l := range all {
				l.drop(before)
			}
			return nil, nil, l.err
		case l.err != nil && !l.off:
			out = append(out, l.err)
		}
		if l.isUsed() {
			loaded = append(loaded, l.Plugin)
		} else {
			l.drop(before)
		}
	}
	s.Secrets.set(s.o.Config, loaded)
	if s.o.OnLoad != nil {
		s.o.OnLoad(loaded)
	}
	return loaded, out, nil
}

// isOn reports whether the user lets a plugin be loaded, as far as its folder tells its id.
func (s *Set) isOn(f folder) bool {
	return s.Enabled(f.id()) && (f.entry == nil || f.entry.Enabled)
}

// loading is a folder and the plugin that was loaded from it.
type loading struct {
	Plugin             // without a [wasm.Plugin] if it can't be loaded
	off    bool        // the user disabled it
	err    *tool.Error // why it can't be used
}

// isUsed reports whether the plugin's tools are offered.
func (l loading) isUsed() bool { return l.Plugin.Plugin != nil && !l.off && l.err == nil }

// drop unloads a plugin that is not used, unless it is one of before.
func (l loading) drop(before []Plugin) {
	p := l.Plugin.Plugin
	if p != nil && !slices.ContainsFunc(before, func(old Plugin) bool { return old.Plugin == p }) {
		unload(p)
	}
}

// loadFolders loads the plugins from folders. Of several with the same id only the first that
// can be loaded is used. It loads disabled ones only with disabled, to describe them.
func (s *Set) loadFolders(h *wasm.Host, folders []folder, before []Plugin, disabled bool) []loading {
	all := make([]loading, 0, len(folders))
	for _, f := range folders {
		l := loading{Plugin: Plugin{folder: f}, off: !s.isOn(f)}
		if l.off && !disabled {
			all = append(all, l)
			continue
		}
		p, err := s.load(h, f, before)
		if err != nil {
			l.err = tool.AsError(err)
			all = append(all, l)
			continue
		}
		l.Plugin = p
		id := p.Manifest().ID
		l.off = l.off || !s.Enabled(id)
		if i := slices.IndexFunc(all, func(other loading) bool { return other.isUsed() && other.Manifest().ID == id }); i >= 0 && !l.off {
			l.err = tool.NewError(tool.ValidationError, "plugin_twice", message.New("plugins.in_two_folders", "id", id, "first", all[i].name, "second", f.name)).
				WithHint(message.New("plugins.in_two_folders_hint"))
		}
		all = append(all, l)
	}
	return all
}

// load loads one plugin, or takes it from those of before.
func (s *Set) load(h *wasm.Host, f folder, before []Plugin) (Plugin, error) {
	p, err := s.loadAny(h, f, before)
	if err != nil {
		return p, err
	}
	id := p.Manifest().ID
	if slices.ContainsFunc(f.installed, func(e install.Entry) bool { return e.ID == id }) {
		loading{Plugin: p}.drop(before)
		return Plugin{}, tool.NewError(tool.ValidationError, "plugin_twice", message.New("plugins.id_of_installed", "id", id, "folder", f.name)).
			WithHint(message.New("plugins.id_of_installed_hint", "id", id))
	}
	return p, nil
}

// loadAny is load for any id.
func (s *Set) loadAny(h *wasm.Host, f folder, before []Plugin) (Plugin, error) {
	if f.entry != nil {
		if err := s.checkSigner(*f.entry); err != nil {
			return Plugin{}, loadError(f, err)
		}
	}
	if f.dropped != "" {
		var err error
		if f.fs, err = checkConsent(f); err != nil {
			return Plugin{}, err
		}
	}
	for _, old := range before {
		if old.isFrom(f) {
			return Plugin{old.Plugin, f}, nil
		}
	}
	switch {
	case f.bundled: // built with the program: the first call checks its digest
		p, err := h.LoadBundled(f.fs)
		if err != nil {
			return Plugin{}, loadError(f, err)
		}
		return Plugin{p, f}, nil
	case s.o.Config.Plugins.RequireSignature && (f.entry == nil || f.entry.Signer == ""):
		return Plugin{}, loadError(f, tool.NewError(tool.ToolUnavailable, "unsigned", message.New("plugins.unsigned")).
			WithHint(message.New("plugins.unsigned_hint")))
	case f.entry != nil:
		if s.o.Config.Plugins.RequireSignature { // the lock may say what is not so
			if err := s.store().Verify(*f.entry, s.trust(f.entry.GivenKey())); err != nil {
				return Plugin{}, loadError(f, err)
			}
		}
		return s.loadInstalled(h, f)
	}
	p, err := h.Load(f.fs)
	if err != nil {
		return Plugin{}, loadError(f, err)
	}
	if f.dropped != "" && p.Digest() != f.consent.Module { // it changed after the check
		unload(p)
		return Plugin{}, changedError(f)
	}
	return Plugin{p, f}, nil
}

// loadInstalled loads an installed plugin if its files are what was installed.
func (s *Set) loadInstalled(h *wasm.Host, f folder) (Plugin, error) {
	files, err := s.store().Open(*f.entry)
	if err != nil {
		return Plugin{}, loadError(f, err)
	}
	p, err := h.LoadGranted(files, f.entry.Grants)
	if err != nil || p.Digest() != f.entry.Module {
		if p != nil {
			unload(p)
		}
		if changed := s.store().Verify(*f.entry, install.Trust{}); changed != nil {
			err = changed
		}
		return Plugin{}, loadError(f, err)
	}
	return Plugin{p, f}, nil
}

// loadError adds to err which plugin can't be loaded and how to do without it.
func loadError(f folder, err error) *tool.Error {
	e := *tool.AsError(err)
	remedy := message.New("plugins.disable_command", "id", f.id())
	if f.entry == nil {
		e.Message = message.New("plugins.load_folder", "folder", f.name, "cause", e.Message)
		remedy = message.New("plugins.fix_folder", "id", f.id())
	} else {
		e.Message = message.New("plugins.load_plugin", "id", f.id(), "cause", e.Message)
	}
	if !e.Hint.IsZero() {
		remedy = message.New("plugins.either_hint", "hint", e.Hint, "other", remedy)
	}
	return e.WithHint(remedy)
}
