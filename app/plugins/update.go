package plugins

import (
	"context"
	"os"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/install"
	"errand/planner/message"
)

// Update is what an update gets beside the source of the installed plugin.
type Update struct {
	SHA256 string              // of the new file, which a URL needs
	Keys   []string            // see [Request]
	Grants map[string][]string // folders beside those that were granted before
	// Reading replaces the user's marks of a module without a manifest, see
	// [ModuleRequest]. Nil keeps those of tools whose definition is the same.
	Reading []string
}

// ProposeUpdate reads an installed plugin again from its source. u has the new choices
// of the user.
func (i *Installer) ProposeUpdate(ctx context.Context, id string, u Update) (*Proposal, error) {
	e, err := i.Set.installedEntry(id)
	if err != nil {
		return nil, err
	}
	if strings.Contains(e.Source, "://") && u.SHA256 == "" {
		return nil, tool.NewError(tool.ValidationError, CodePinned, message.New("plugins.plugin_pinned", "id", id, "source", e.Source)).
			WithHint(message.New("plugins.plugin_pinned_hint"))
	}
	module, err := i.moduleRequest(e)
	if err != nil {
		return nil, err
	}
	switch {
	case module != nil:
		module.Reading = u.Reading
	case u.Reading != nil:
		return nil, tool.NewError(tool.ValidationError, "has_manifest", message.New("plugins.marks_need_module", "id", id)).
			WithHint(message.New("plugins.marks_need_module_hint"))
	}
	keys := append(slices.Clone(u.Keys), e.GivenKey()) // it stays trusted for this plugin
	p, err := i.Propose(ctx, Request{Source: e.Source, SHA256: u.SHA256, Keys: keys, Grants: u.Grants, Module: module})
	if err != nil {
		refused := *tool.AsError(err)
		if refused.Code == "no_source" {
			refused.Hint = message.New("plugins.no_source_hint", "id", id)
		}
		refused.Message = message.New("plugins.update_plugin", "id", id, "cause", refused.Message)
		return nil, &refused
	}
	if p.ID != id {
		return nil, tool.NewError(tool.ValidationError, "another_plugin", message.New("plugins.another_plugin", "source", e.Source, "id", p.ID, "wanted", id)).
			WithHint(message.New("plugins.another_plugin_hint", "id", id))
	}
	return p, nil
}

// Uninstall removes an installed plugin: its files, its folders' grants, and the
// grants of hosts that only it may use. It ends calls that run, and returns the
// version that was removed.
func (i *Installer) Uninstall(ctx context.Context, id string) (version string, err error) {
	e, err := i.Set.installedEntry(id)
	if err != nil {
		return "", err
	}
	if err := i.Revoke(ctx, id); err != nil { // the next plugin of this id is another one
		return "", err
	}
	forget := i.forgetCode(e)
	if err := i.Set.store().Remove(ctx, e); err != nil {
		return "", err
	}
	i.Set.reload()
	forget()
	return e.Version, nil
}

// forgetCode returns a function that removes a plugin's compiled module from the
// cache, to be called after the plugin is gone. What can't be read or removed stays
// until the cache drops it as unused.
func (i *Installer) forgetCode(e install.Entry) func() {
	var code []byte
	m, err := i.Set.store().Manifest(e)
	if err == nil {
		code, err = install.ReadFile(os.DirFS(i.Set.store().Folder(e)), m.Module, install.MaxModule)
	}
	return func() {
		lock, lockErr := i.Set.readLock()
		if err != nil || lockErr != nil || slices.ContainsFunc(lock.Plugins, func(other install.Entry) bool { return other.Module == e.Module }) {
			return
		}
		if h, err := i.Set.Host(); err == nil {
			_ = h.Forget(code)
		}
	}
}
