package core

import (
	"context"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/host/wasm/rights"
	"errand/planner/plan"
	"errand/policy"
)

// This file installs plugins. Only a person does: no tool, plan, page or plugin
// reaches it, and what a plugin may do is what a person saw and agreed to.

// Codes of errors for which a person has to say more.
const (
	CodePluginAsks  = "plugin_asks"  // nobody has agreed to what it may do
	CodePluginWider = "plugin_wider" // nobody has agreed to what it may do beyond what it did
	// CodePluginPinned is of a plugin that came from a URL: only who knows the
	// digest of another file there can update it.
	CodePluginPinned = "plugin_pinned"
)

// PluginRequest says which plugin to install.
type PluginRequest struct {
	Source string              // a folder, a module, an archive or an https URL
	SHA256 string              // of the file; a URL needs it
	Keys   []string            // minisign public keys that count beside those of the config
	Grants map[string][]string // folders for roots of the manifest's [[paths]], absolute or with ~/
	Module *ModuleRequest      // for a module without a manifest; nil: it has one
}

// PluginChange is one difference between a plugin and what is installed.
type PluginChange = rights.Change

// PluginProposal is a plugin that was read and held against everything, and not
// installed yet.
type PluginProposal struct {
	ID          string            `json:"id"`
	Version     string            `json:"version"`
	Was         string            `json:"was,omitempty"` // the version that is installed; "": none
	Description string            `json:"description"`
	Source      string            `json:"source"`
	Digest      string            `json:"digest"` // of the module
	Signature   install.Signature `json:"signature"`
	Permissions []string          `json:"permissions"` // in words
	Ungranted   []string          `json:"ungranted"`   // its own roots that stand for no folder
	Unlisted    []string          `json:"unlisted"`    // hosts that the config doesn't let it reach
	Changes     []PluginChange    `json:"changes"`     // against what is installed
	Widens      bool              `json:"widens"`      // it may do more than before
	Downgrade   bool              `json:"downgrade"`
	Same        bool              `json:"same"`     // it is what is installed already
	Regrants    bool              `json:"regrants"` // it is given other folders than before
	// Folders are its own roots, and what stands for each; none: Ungranted names it.
	Folders []PluginFolders `json:"folders"`

	proposal install.Proposal
}

// PluginFolders are the folders that stand for a root of a plugin's own.
type PluginFolders struct {
	Root    string   `json:"root"`
	Folders []string `json:"folders"`
}

// Agreed is what a person said to a proposal.
type Agreed struct {
	Yes   bool // to the permissions, or to the change of version
	Wider bool // to more than was granted before, too
}

// ProposePlugin reads a plugin and says what installing it would grant. Nothing
// is changed.
func (a *App) ProposePlugin(ctx context.Context, r PluginRequest) (*PluginProposal, error) {
	client, err := a.installClient(r.Source)
	if err != nil {
		return nil, err
	}
	bundle, err := install.Read(ctx, install.Origin{Place: r.Source, SHA256: r.SHA256, Client: client, Describe: a.describe(r.Module)})
	if err != nil {
		return nil, err
	}
	if r.Module != nil && !bundle.Described {
		return nil, tool.Errorf(tool.ValidationError, "has_manifest", "%s has a manifest, which says what the plugin is", r.Source).
			WithHint("leave --abi out, and all that is said of the module beside it")
	}
	tried, err := a.try(&bundle)
	if err != nil {
		return nil, err
	}
	unload(tried)
	if err := runs(ctx, bundle.Manifest.ID+"/"+bundle.Manifest.Module, bundle.Module()); err != nil { // nobody is asked about what won't
		return nil, err
	}
	if err := a.free(bundle.Manifest.ID); err != nil {
		return nil, err
	}
	signature, err := bundle.Verify(a.trust(r.Keys...))
	if err != nil {
		return nil, err
	}
	grants, err := a.foldersOf(r.Grants)
	if err != nil {
		return nil, err
	}
	p, err := a.store().Propose(bundle, signature, grants)
	if err != nil {
		return nil, err
	}
	return a.seenProposal(p), nil
}

func (a *App) seenProposal(p install.Proposal) *PluginProposal {
	folders := map[string][]string{"files.roots": a.conf.Roots()}
	for root, dirs := range p.Entry.Grants {
		folders[root] = dirs
	}
	view := &PluginProposal{
		ID: p.Entry.ID, Version: p.Entry.Version, Description: p.Bundle.Manifest.Description, Source: p.Entry.Source, Digest: p.Entry.Module,
		Signature: p.Signature, Permissions: p.Rights.Words(folders), Changes: p.Changes, Widens: p.Widens(), Downgrade: p.Downgrade, Same: p.Same,
		proposal: p,
	}
	view.Ungranted, view.Folders = []string{}, []PluginFolders{}
	for _, path := range p.Bundle.Manifest.Paths {
		if path.Root == "files.roots" {
			continue
		}
		view.Folders = append(view.Folders, PluginFolders{path.Root, append([]string{}, folders[path.Root]...)})
		if len(folders[path.Root]) == 0 {
			view.Ungranted = append(view.Ungranted, path.Root)
		}
	}
	view.Unlisted = []string{}
	for _, h := range p.Bundle.Manifest.Hosts {
		raw := policy.ExampleURL(h)
		if raw == "" { // of many hosts nothing can be said
			continue
		}
		r := policy.Request{Kind: policy.KindFetch, URL: raw, At: a.now(), Origin: plan.UserGoal, Plugin: p.Entry.ID, Run: toCome, Call: toCome}
		if policy.Grantable(a.decide(r)) {
			view.Unlisted = append(view.Unlisted, h)
		}
	}
	if view.Changes == nil {
		view.Changes = []PluginChange{}
	}
	if p.Was != nil {
		view.Was = p.Was.Version
		view.Regrants = !maps.EqualFunc(p.Was.Grants, p.Entry.Grants, slices.Equal)
	}
	return view
}

// InstallPlugin carries out a proposal that a person agreed to. The module is
// compiled and begun first: what does not run takes no other's place, and what is installed
// has a quick first call.
func (a *App) InstallPlugin(ctx context.Context, p *PluginProposal, agreed Agreed) error {
	switch {
	case !agreed.Yes:
		return tool.Errorf(tool.PolicyDenied, CodePluginAsks, "nobody agreed to what the plugin %s may do", p.ID).
			WithHint("run it at a terminal, or say --yes")
	case p.Widens && !agreed.Wider:
		return tool.Errorf(tool.PolicyDenied, CodePluginWider, "%s %s may do more than %s, which is installed", p.ID, p.Version, p.Was).
			WithHint("run it at a terminal, or say --accept-wider")
	}
	tried, err := a.try(&p.proposal.Bundle)
	if err != nil {
		return err
	}
	defer unload(tried) // once what is loaded has taken up what was compiled
	if err := tried.Begins(ctx); err != nil {
		e := *tool.AsError(err)
		e.Message = "it does not run, and is not installed: " + e.Message
		return &e
	}
	forget := func() {}
	if was := p.proposal.Was; was != nil {
		forget = a.forgetCode(*was)
	}
	if _, err := a.store().Install(ctx, p.proposal); err != nil {
		return err
	}
	a.reload()
	forget()
	return nil
}

// try loads a plugin that is not in its place yet.
func (a *App) try(b *install.Bundle) (*wasm.Plugin, error) {
	h, err := a.wasm()
	if err != nil {
		return nil, err
	}
	p, err := h.Load(b.FS())
	return p, misnamed(err)
}

// installClient is what a plugin is fetched with: policy decides on each hop.
func (a *App) installClient(source string) (*http.Client, error) {
	if !strings.Contains(source, "://") {
		return nil, nil
	}
	g, err := a.guard()
	if err != nil {
		return nil, err
	}
	return g.Client(policy.Request{Kind: policy.KindFetch, Origin: plan.UserGoal, Tool: "plugin.install"}), nil
}

// free refuses an id that a folder has which is not an installed plugin's.
func (a *App) free(id string) error {
	folders, err := a.pluginFolders()
	if err != nil {
		return err
	}
	h, err := a.wasm()
	if err != nil {
		return err
	}
	for _, f := range folders {
		if f.entry != nil || f.bundled { // the bundled ones' ids are reserved
			continue
		}
		other := f.id()
		if p, err := h.Load(f.fs); err == nil {
			other = p.Manifest().ID
			unload(p)
		}
		if other == id {
			return tool.Errorf(tool.ValidationError, "plugin_twice", "the plugin %s was put into %s by hand", id, f.name).
				WithHint("move that folder away, and install the plugin then")
		}
	}
	return nil
}

// foldersOf are the folders as they will stand in the lock. Those that aren't there,
// and those that no tool may have, are refused.
func (a *App) foldersOf(grants map[string][]string) (map[string][]string, error) {
	whole := map[string][]string{}
	for root, folders := range grants {
		if root == "files.roots" {
			return nil, tool.Errorf(tool.ValidationError, "bad_grant", "files.roots stands for the roots in [files] of the config").
				WithHint("change them there; a plugin's own roots are granted here")
		}
		for _, folder := range folders {
			place, err := a.conf.Expand(folder)
			if err == nil {
				err = a.conf.Grantable(place)
			}
			if err != nil {
				return nil, tool.Errorf(tool.ValidationError, "bad_grant", "grant %s: %v", root, err).WithHint("name another folder")
			}
			info, err := os.Stat(place)
			switch {
			case err != nil:
				return nil, tool.Errorf(tool.ValidationError, "bad_grant", "grant %s: %s", root, tool.FileFault(err)).WithHint("name a folder that exists")
			case !info.IsDir():
				return nil, tool.Errorf(tool.ValidationError, "bad_grant", "grant %s: %s is not a folder", root, place).WithHint("name a folder")
			}
			whole[root] = append(whole[root], place)
		}
	}
	return whole, nil
}

// reload loads what was changed. Where another plugin can't be loaded, what was
// done stands all the same: the next one who asks for the plugins is told.
func (a *App) reload() {
	a.installed.forget()
	_, _ = a.plugins()
}
