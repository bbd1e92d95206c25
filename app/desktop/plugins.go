package desktop

import (
	"context"
	"crypto/rand"
	"slices"

	"errand/app/desktop/view"
	"errand/app/plugins"
	"errand/host/tool"
	"errand/planner/message"
)

// pluginAPI is the part of [API] that lists, installs and removes plugins.
type pluginAPI struct {
	*session

	offer *offer // the plugin that was proposed last; guarded by mu
}

// Plugins lists the installed plugins.
func (a *pluginAPI) Plugins() ([]view.Plugin, error) {
	return query(a.session, pluginTimeout, []view.Plugin{}, func(_ context.Context, e *Engine) ([]view.Plugin, error) {
		list, err := e.Plugins.List()
		out := make([]view.Plugin, len(list))
		for i, p := range list {
			out[i] = pluginOf(p)
		}
		return out, err
	})
}

func pluginOf(p plugins.Info) view.Plugin {
	out := view.Plugin{
		ID: p.ID, Version: p.Version, Description: p.Description, State: string(p.State), Origin: "folder", ABI: p.ABI,
		Tools: view.OrEmpty(p.Tools), Permissions: view.OrEmpty(p.Permissions), Hosts: view.OrEmpty(p.Hosts), Paths: view.OrEmpty(p.Paths),
		From: p.From, Digest: p.Digest, Source: p.Source, Signer: p.Signer, Problem: view.NewFailure(p.Problem),
	}
	if p.Bundled {
		out.Origin = "bundled"
	}
	if p.InstalledAt != nil {
		out.Origin, out.InstalledAt = "installed", view.Millis(*p.InstalledAt)
	}
	return out
}

// offer is the last proposed plugin. Only a plugin that was shown can be installed.
type offer struct {
	token    string
	engine   *Engine
	proposal *plugins.Proposal
}

// ProposePlugin reads a plugin and describes the rights that installing it would grant. It
// changes nothing.
func (a *pluginAPI) ProposePlugin(ask view.PluginAsk) (view.PluginProposal, error) {
	return a.propose(func(ctx context.Context, e *Engine) (*plugins.Proposal, error) {
		return e.Installer.Propose(ctx, plugins.Request{Source: ask.Source, SHA256: ask.SHA256, Grants: foldersOf(ask.Folders)})
	})
}

func foldersOf(list []view.FolderGrant) map[string][]string {
	grants := map[string][]string{}
	for _, f := range list {
		grants[f.Root] = append(grants[f.Root], f.Folders...)
	}
	return grants
}

// ProposeUpdate reads an installed plugin again from its source. It keeps granted folders,
// unless it gets another folder for the same root.
func (a *pluginAPI) ProposeUpdate(ask view.UpdateAsk) (view.PluginProposal, error) {
	return a.propose(func(ctx context.Context, e *Engine) (*plugins.Proposal, error) {
		return e.Installer.ProposeUpdate(ctx, ask.ID, plugins.Update{SHA256: ask.SHA256, Grants: foldersOf(ask.Folders)})
	})
}

// ProposeEnable reads a plugin that someone put into the data folder and describes its rights.
// InstallPlugin enables it.
func (a *pluginAPI) ProposeEnable(id string) (view.PluginProposal, error) {
	return a.propose(func(ctx context.Context, e *Engine) (*plugins.Proposal, error) {
		p, err := e.Installer.ProposeEnable(ctx, id)
		if err == nil && p == nil {
			err = tool.NewError(tool.ValidationError, "no_proposal", message.New("window.nothing_to_agree", "id", id))
		}
		return p, err
	})
}

func (a *pluginAPI) propose(question func(context.Context, *Engine) (*plugins.Proposal, error)) (view.PluginProposal, error) {
	return query(a.session, pluginTimeout, view.PluginProposal{}, func(ctx context.Context, e *Engine) (view.PluginProposal, error) {
		p, err := question(ctx, e)
		if err != nil {
			return view.PluginProposal{}, err
		}
		o := &offer{rand.Text(), e, p}
		a.mu.Lock()
		a.offer = o
		a.mu.Unlock()
		out := view.PluginProposal{
			Token: o.token, ID: p.ID, Version: p.Version, InstalledVersion: p.Was, Description: p.Description, Source: p.Source, Digest: p.Digest,
			Signer: p.Signature.Signer, Signature: p.Signature.Note, Permissions: view.OrEmpty(p.Permissions), Changes: []view.PluginChange{},
			Widens: p.Widens, Downgrade: p.Downgrade, InPlace: p.InPlace, IsInstalled: p.Same, Regrants: p.Regrants, Folders: []view.FolderGrant{}, Ungranted: view.OrEmpty(p.Ungranted), Unlisted: view.OrEmpty(p.Unlisted),
		}
		for _, f := range p.Folders {
			out.Folders = append(out.Folders, view.FolderGrant{Root: f.Root, Folders: f.Folders})
		}
		for _, c := range p.Changes {
			out.Changes = append(out.Changes, view.PluginChange{Text: c.Text, Widens: c.Widens})
		}
		return out, nil
	})
}

// InstallPlugin installs the proposed plugin after the user agreed.
func (a *pluginAPI) InstallPlugin(ask view.InstallAsk) (view.Plugin, error) {
	a.mu.Lock()
	o := a.offer
	a.mu.Unlock()
	if o == nil || o.token != ask.Token {
		return view.Plugin{}, tool.NewError(tool.ValidationError, "no_proposal", message.New("window.no_proposal")).
			WithHint(message.New("window.show_again"))
	}
	return query(a.session, pluginTimeout, view.Plugin{}, func(ctx context.Context, e *Engine) (view.Plugin, error) {
		if e != o.engine {
			return view.Plugin{}, tool.NewError(tool.ValidationError, "no_proposal", message.New("window.offer_outdated")).
				WithHint(message.New("window.show_again"))
		}
		if err := e.Installer.Install(ctx, o.proposal, plugins.Consent{Yes: true, Wider: ask.Wider, Downgrade: ask.Downgrade}); err != nil {
			return view.Plugin{}, err
		}
		a.mu.Lock()
		a.offer = nil
		a.mu.Unlock()
		if o.proposal.InPlace {
			return a.enable(ctx, e, o.proposal.ID, true) // errand.toml may disable it
		}
		return pluginBy(e, o.proposal.ID)
	})
}

// EnablePlugin enables or disables a plugin at once. It may change errand.toml.
func (a *pluginAPI) EnablePlugin(id string, on bool) (view.Plugin, error) {
	return query(a.session, pluginTimeout, view.Plugin{}, func(ctx context.Context, e *Engine) (view.Plugin, error) {
		return a.enable(ctx, e, id, on)
	})
}

func (a *pluginAPI) enable(ctx context.Context, e *Engine, id string, on bool) (view.Plugin, error) {
	a.changing.Lock()
	defer a.changing.Unlock()
	if err := e.Installer.Enable(ctx, id, on); err != nil {
		return view.Plugin{}, err
	}
	return pluginBy(e, id)
}

func pluginBy(e *Engine, id string) (view.Plugin, error) {
	list, err := e.Plugins.List()
	if err != nil {
		return view.Plugin{}, err
	}
	i := slices.IndexFunc(list, func(p plugins.Info) bool { return p.ID == id })
	if i < 0 {
		return view.Plugin{}, tool.NewError(tool.ValidationError, "not_installed", message.New("window.not_installed", "id", id))
	}
	return pluginOf(list[i]), nil
}

// RemovePlugin removes an installed plugin and its grants.
func (a *pluginAPI) RemovePlugin(id string) error {
	_, err := query(a.session, pluginTimeout, "", func(ctx context.Context, e *Engine) (string, error) { return e.Installer.Uninstall(ctx, id) })
	return err
}

// VerifyPlugins checks an installed plugin, or all for "", against the lock.
func (a *pluginAPI) VerifyPlugins(id string) ([]view.PluginVerified, error) {
	return query(a.session, pluginTimeout, []view.PluginVerified{}, func(ctx context.Context, e *Engine) ([]view.PluginVerified, error) {
		var ids []string
		if id != "" {
			ids = append(ids, id)
		}
		list, err := e.Plugins.Verify(ctx, ids...)
		out := make([]view.PluginVerified, len(list))
		for i, v := range list {
			out[i] = view.PluginVerified{ID: v.ID, Version: v.Version, OK: v.OK, Signer: v.Signer, Problem: view.NewFailure(v.Problem)}
		}
		return out, err
	})
}
