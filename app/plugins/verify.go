package plugins

import (
	"context"
	"os"
	"slices"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/planner/message"
)

// Verification is an installed plugin compared with the lock file.
type Verification struct {
	ID       string      `json:"id"`
	Version  string      `json:"version"`
	OK       bool        `json:"ok"`
	IsIntact bool        `json:"whole"` // its files are what was installed
	Signer   string      `json:"signer,omitempty"`
	Problem  *tool.Error `json:"problem,omitempty"`
}

// UnlistedFolders lists folders of installed plugins that the lock file does not name, for
// example because the lock file was lost.
func (s *Set) UnlistedFolders() ([]string, error) {
	lock, err := s.readLock()
	if err != nil {
		return nil, err
	}
	return s.store().UnlistedFolders(lock), nil
}

// StrayHint says what to do about stray folders.
var StrayHint = message.New("plugins.stray_hint")

// Verify compares installed plugins with the lock file, those of ids or all: each
// byte of their files, and their signatures. It also checks that this program can
// run them.
func (s *Set) Verify(ctx context.Context, ids ...string) ([]Verification, error) {
	lock, err := s.readLock()
	if err != nil {
		return nil, err
	}
	entries := lock.Plugins
	if len(ids) > 0 {
		entries = nil
	}
	for _, id := range ids {
		e, err := s.installedEntry(id)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	list := []Verification{}
	for _, e := range entries {
		v := Verification{ID: e.ID, Version: e.Version, OK: true, IsIntact: true, Signer: e.Signer}
		if err := s.store().Verify(e, s.trust(e.SignerKey)); err != nil {
			v.OK, v.IsIntact, v.Problem = false, false, tool.AsError(err)
		} else if err := s.checkSigner(e); err != nil {
			v.OK, v.Problem = false, tool.AsError(err)
		} else if err := s.checkRuns(ctx, e); err != nil {
			v.OK, v.Problem = false, tool.AsError(err)
		}
		list = append(list, v)
	}
	return list, nil
}

// checkRuns says why an installed plugin can't run, for example because this
// version of the program offers fewer imports.
func (s *Set) checkRuns(ctx context.Context, e install.Entry) error {
	h, err := s.Host()
	if err != nil {
		return err
	}
	p, err := s.loadInstalled(h, folder{name: s.store().Folder(e), entry: &e})
	if err != nil {
		return err
	}
	defer unload(p.Plugin)
	m := p.Manifest()
	code, err := install.ReadFile(os.DirFS(s.store().Folder(e)), m.Module, install.MaxModule)
	if err != nil {
		return err
	}
	_, err = wasm.Foresee(ctx, wasm.Module{Name: m.ID + "/" + m.Module, Bytes: code}, s.o.Config.Plugins.Effort(m.ID))
	return err
}

// installedEntry returns a plugin's entry in the lock file, or an error with a hint.
func (s *Set) installedEntry(id string) (install.Entry, error) {
	lock, err := s.readLock()
	if err != nil {
		return install.Entry{}, err
	}
	if e := lock.Find(id); e != nil {
		return *e, nil
	}
	e := tool.NewError(tool.ValidationError, "not_installed", message.New("plugins.not_installed", "id", id)).WithHint(message.New("plugins.not_installed_hint"))
	folders, err := s.folders()
	if err != nil {
		return install.Entry{}, err
	}
	for _, f := range folders {
		switch {
		case f.id() != id:
		case f.bundled:
			return install.Entry{}, e.WithHint(message.New("plugins.bundled_hint", "id", id))
		case f.dropped != "":
			return install.Entry{}, e.WithHint(message.New("plugins.dropped_hint", "id", id, "folder", f.name))
		case f.entry == nil:
			return install.Entry{}, e.WithHint(message.New("plugins.by_hand_hint", "id", id, "folder", f.name))
		}
	}
	return install.Entry{}, e
}

// trust returns the keys whose signatures count: those of the config, and keys that
// were given for one plugin.
func (s *Set) trust(pluginKeys ...string) install.Trust {
	pluginKeys = slices.DeleteFunc(pluginKeys, func(k string) bool { return k == "" })
	return install.Trust{Keys: s.o.Config.Plugins.TrustedKeys, PluginKeys: pluginKeys, Require: s.o.Config.Plugins.RequireSignature}
}
