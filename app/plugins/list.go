package core

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/host/wasm/rights"
)

// PluginState says whether a plugin's tools can be had.
type PluginState string

// States of plugins.
const (
	PluginOn      PluginState = "on"
	PluginOff     PluginState = "off"     // switched off; Problem says where, if it is in the config
	PluginRefused PluginState = "refused" // Problem says why
)

// PluginInfo is a plugin in a list.
type PluginInfo struct {
	ID      string      `json:"id"`
	Version string      `json:"version"`
	State   PluginState `json:"state"`
	ABI     string      `json:"abi"`
	Tools   []string    `json:"tools"`
	Hosts   []string    `json:"hosts"`
	Paths   []string    `json:"paths"`
	// Ungranted are those of Paths that stand for no folder of this machine.
	Ungranted []string    `json:"ungranted,omitempty"`
	From      string      `json:"from"`   // the folder that it is loaded from, or bundled/ID
	Digest    string      `json:"digest"` // of the module
	Problem   *tool.Error `json:"problem,omitempty"`
	// Of installed ones:
	Source      string     `json:"source,omitempty"`
	Signer      string     `json:"signer,omitempty"`
	InstalledAt *time.Time `json:"installed_at,omitempty"`
	// For a person who looks at it; of one that can't be read they are empty.
	Description string   `json:"-"`
	Permissions []string `json:"-"` // in words
	Bundled     bool     `json:"-"` // it is part of the program
}

// Plugins lists the plugins that are there, those that are switched off or can't
// be loaded among them. Each file is read, and held against the lock.
func (a *App) Plugins() ([]PluginInfo, error) {
	h, err := a.wasm()
	if err != nil {
		return nil, err
	}
	folders, err := a.pluginFolders()
	if err != nil {
		return nil, err
	}
	list := []PluginInfo{}
	for _, f := range folders {
		info := a.pluginInfo(h, f)
		if i := slices.IndexFunc(list, func(other PluginInfo) bool { return other.ID == info.ID }); i >= 0 && info.State == PluginOn {
			info.State = PluginRefused
			info.Problem = tool.Errorf(tool.ValidationError, "plugin_twice", "the plugin %s is in %s, too", info.ID, list[i].From).
				WithHint("remove one of them")
		}
		list = append(list, info)
	}
	return list, nil
}

func (a *App) pluginInfo(h *wasm.Host, f pluginFolder) PluginInfo {
	info := PluginInfo{ID: f.id(), State: PluginOn, Tools: []string{}, Hosts: []string{}, Paths: []string{}, From: f.name, Bundled: f.bundled}
	if e := f.entry; e != nil {
		info.Version, info.Digest, info.Source, info.Signer, info.InstalledAt = e.Version, e.Module, e.Source, e.Signer, &e.InstalledAt
		if !e.Enabled {
			info.State = PluginOff
		}
	}
	p, err := a.loadPlugin(h, f, nil)
	if err != nil {
		info.Problem = tool.AsError(err)
		if info.State == PluginOn {
			info.State = PluginRefused
		}
	} else {
		defer unload(p.Plugin)
		info.fill(p.Plugin, f.entry)
		info.Permissions = a.permissions(f, p.Plugin)
	}
	if !a.conf.Plugins.Enabled(info.ID) {
		info.State = PluginOff
		info.Problem = tool.Errorf(tool.ValidationError, "disabled", "switched off in the config").
			WithHint("remove enabled = false from [plugins.%s] in %s", info.ID, a.conf.Paths.File)
	}
	return info
}

// permissions says in words what a plugin may do: what a person agreed to, or
// what it asks for where it came with the program or was put there by hand.
func (a *App) permissions(f pluginFolder, p *wasm.Plugin) []string {
	m := p.Manifest()
	may := rights.Of(&m, nil)
	folders := map[string][]string{"files.roots": a.conf.Roots()}
	if f.entry != nil {
		if granted, err := f.entry.Granted(); err == nil {
			may = granted
		}
		maps.Copy(folders, f.entry.Grants)
	}
	return may.Words(folders)
}

func (info *PluginInfo) fill(p *wasm.Plugin, e *install.Entry) {
	m := p.Manifest()
	info.ID, info.Version, info.ABI, info.Digest = m.ID, m.Version, string(m.ABI), p.Digest()
	info.Description = m.Description
	info.Hosts = append(info.Hosts, m.Hosts...)
	for _, t := range m.Tools {
		info.Tools = append(info.Tools, t.Name)
	}
	for _, path := range m.Paths {
		name := strings.TrimSuffix(fmt.Sprintf("%s:%s", path.Root, path.Mode), ":rw")
		info.Paths = append(info.Paths, name)
		if path.Root != "files.roots" && (e == nil || len(e.Grants[path.Root]) == 0) {
			info.Ungranted = append(info.Ungranted, name)
		}
	}
}

// Verified is an installed plugin that was held against the lock.
type Verified struct {
	ID      string      `json:"id"`
	Version string      `json:"version"`
	OK      bool        `json:"ok"`
	Whole   bool        `json:"whole"` // its files are what was installed
	Signer  string      `json:"signer,omitempty"`
	Problem *tool.Error `json:"problem,omitempty"`
}

// StrayPlugins are folders of plugins that were installed and that the lock says
// nothing of, as where it was lost.
func (a *App) StrayPlugins() ([]string, error) {
	lock, err := a.store().Installed()
	if err != nil {
		return nil, err
	}
	return a.store().Stray(lock), nil
}

// StrayCure is what helps where plugins are stray.
const StrayCure = "put plugins.lock back from a copy, or install the plugins again; the next change clears away what it doesn't name"

// VerifyPlugins holds installed plugins against the lock, all or those of ids:
// each byte of their files, and who signed them; and looks whether what is whole
// can be run by this program.
func (a *App) VerifyPlugins(ctx context.Context, ids ...string) ([]Verified, error) {
	lock, err := a.store().Installed()
	if err != nil {
		return nil, err
	}
	entries := lock.Plugins
	if len(ids) > 0 {
		entries = nil
	}
	for _, id := range ids {
		e, err := a.installedPlugin(id)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	list := []Verified{}
	for _, e := range entries {
		v := Verified{ID: e.ID, Version: e.Version, OK: true, Whole: true, Signer: e.Signer}
		if err := a.store().Verify(e, a.trust(e.SignerKey)); err != nil {
			v.OK, v.Whole, v.Problem = false, false, tool.AsError(err)
		} else if err := a.runsInstalled(ctx, e); err != nil {
			v.OK, v.Problem = false, tool.AsError(err)
		}
		list = append(list, v)
	}
	return list, nil
}

// runsInstalled says why an installed plugin can't be run, as after an update of
// the program that offers less.
func (a *App) runsInstalled(ctx context.Context, e install.Entry) error {
	h, err := a.wasm()
	if err != nil {
		return err
	}
	p, err := a.loadInstalled(h, pluginFolder{name: a.store().Folder(e), entry: &e})
	if err != nil {
		return err
	}
	defer unload(p.Plugin)
	m := p.Manifest()
	code, err := install.ReadFile(os.DirFS(a.store().Folder(e)), m.Module, install.MaxModule)
	if err != nil {
		return err
	}
	_, err = wasm.Foresee(ctx, wasm.Module{Name: m.ID + "/" + m.Module, Bytes: code})
	return err
}

// installedPlugin is an entry of the lock, or says what to do where there is
// none.
func (a *App) installedPlugin(id string) (install.Entry, error) {
	lock, err := a.store().Installed()
	if err != nil {
		return install.Entry{}, err
	}
	if e := lock.Find(id); e != nil {
		return *e, nil
	}
	e := tool.Errorf(tool.ValidationError, "not_installed", "no plugin %q is installed", id).WithHint("errand plugin list shows which are")
	folders, err := a.pluginFolders()
	if err != nil {
		return install.Entry{}, err
	}
	for _, f := range folders {
		switch {
		case f.id() != id:
		case f.bundled:
			return install.Entry{}, e.WithHint("%s is part of the program: enabled = false in [plugins.%s] of the config switches it off", id, id)
		case f.entry == nil:
			return install.Entry{}, e.WithHint("%s was put into %s by hand: the folder is yours, and errand plugin install takes it over", id, f.name)
		}
	}
	return install.Entry{}, e
}

// trust is whose signatures count, and the keys beside those of the config.
func (a *App) trust(more ...string) install.Trust {
	keys := slices.DeleteFunc(slices.Concat(a.conf.Plugins.TrustedKeys, more), func(k string) bool { return k == "" })
	return install.Trust{Keys: keys, Require: a.conf.Plugins.RequireSignature}
}
