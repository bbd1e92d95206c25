package core

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/wasm/install"
)

// ProposeUpdate reads an installed plugin again from where it came from. digest
// is that of the new file, which a URL needs; grants are folders beside those that
// were granted before.
func (a *App) ProposeUpdate(ctx context.Context, id, digest string, keys []string, grants map[string][]string) (*PluginProposal, error) {
	e, err := a.installedPlugin(id)
	if err != nil {
		return nil, err
	}
	if strings.Contains(e.Source, "://") && digest == "" {
		return nil, tool.Errorf(tool.ValidationError, CodePluginPinned, "plugin %s came from %s, which is pinned to what it was", id, e.Source).
			WithHint("give the new file's --sha256, or errand plugin install its new URL")
	}
	module, err := a.as(e)
	if err != nil {
		return nil, err
	}
	p, err := a.ProposePlugin(ctx, PluginRequest{Source: e.Source, SHA256: digest, Keys: keys, Grants: grants, Module: module})
	if err != nil {
		u := *tool.AsError(err)
		if u.Code == "no_source" {
			u.Hint = fmt.Sprintf("errand plugin install it from where it is now, or errand plugin remove %s; what is installed stays as it is", id)
		}
		u.Message = fmt.Sprintf("update %s: %s", id, u.Message)
		return nil, &u
	}
	if p.ID != id {
		return nil, tool.Errorf(tool.ValidationError, "another_plugin", "%s holds the plugin %s now, and not %s", e.Source, p.ID, id).
			WithHint("errand plugin install it, and errand plugin remove %s if it is no longer wanted", id)
	}
	return p, nil
}

// InstalledIDs are the plugins that were installed, in order.
func (a *App) InstalledIDs() ([]string, error) {
	lock, err := a.store().Installed()
	ids := make([]string, len(lock.Plugins))
	for i, e := range lock.Plugins {
		ids[i] = e.ID
	}
	return ids, err
}

// RemovePlugin takes an installed plugin out: its files, what was granted to it
// at its installation, and the hosts that were opened for it alone. Calls that
// run are ended. It answers its version.
func (a *App) RemovePlugin(ctx context.Context, id string) (version string, err error) {
	e, err := a.installedPlugin(id)
	if err != nil {
		return "", err
	}
	if err := a.revokeFor(ctx, id); err != nil {
		return "", err
	}
	forget := a.forgetCode(e)
	if err := a.store().Remove(ctx, e); err != nil {
		return "", err
	}
	a.reload()
	forget()
	return e.Version, nil
}

// forgetCode makes ready to remove what was compiled of an installed plugin's
// module, once that is gone. What can't be read or removed is left to the cache,
// which drops what nobody uses.
func (a *App) forgetCode(e install.Entry) func() {
	var code []byte
	m, err := a.store().Manifest(e)
	if err == nil {
		code, err = install.ReadFile(os.DirFS(a.store().Folder(e)), m.Module, install.MaxModule)
	}
	return func() {
		lock, lockErr := a.store().Installed()
		if err != nil || lockErr != nil || slices.ContainsFunc(lock.Plugins, func(other install.Entry) bool { return other.Module == e.Module }) {
			return
		}
		if h, err := a.wasm(); err == nil {
			_ = h.Forget(code)
		}
	}
}

// EnablePlugin switches an installed plugin on or off. Off, its calls are ended.
// The config's word holds beside it: a plugin is loaded only where both say so.
func (a *App) EnablePlugin(ctx context.Context, id string, on bool) error {
	e, err := a.installedPlugin(id)
	if err != nil {
		return err
	}
	if e.Enabled != on {
		if err := a.store().Enable(ctx, e, on); err != nil {
			return err
		}
		a.reload()
	}
	if on && !a.conf.Plugins.Enabled(id) {
		return a.offInConfig(tool.ValidationError, "the plugin %s is enabled, and the config switches it off all the same", id)
	}
	return nil
}

// revokeFor ends the grants of hosts for a plugin alone: the next one of its name
// is another plugin.
func (a *App) revokeFor(ctx context.Context, id string) error {
	if !store.HasRecord(a.conf.Paths.Data) {
		return nil
	}
	grants, err := a.Grants(ctx, false)
	if err != nil {
		return err
	}
	for _, g := range grants {
		if g.Plugin != id {
			continue
		}
		if _, err := a.Revoke(ctx, g.ID); err != nil {
			return err
		}
	}
	return nil
}
