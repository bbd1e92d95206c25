package plugins

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"slices"
	"strings"

	"errand/app/config"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/planner/message"
)

// Codes of errors for which the user has to decide more.
const (
	CodeAsks  = "plugin_asks"  // what it may do was not agreed to
	CodeWider = "plugin_wider" // what it may do beyond what it did was not agreed to
	// CodeDowngrade is of a version that is older than the installed one.
	CodeDowngrade = "plugin_downgrade"
	// CodePinned is of a plugin that came from a URL: an update needs the digest of
	// the new file.
	CodePinned = "plugin_pinned"
)

// Installer installs, updates, enables and removes plugins. Only the user may call
// it: no tool, plan, page or plugin may lead here, and what a plugin may do is
// what the user saw and agreed to.
type Installer struct {
	Set *Set
	// Fetcher returns the HTTP client that fetches a plugin's file.
	Fetcher func() (*http.Client, error)
	// NeedsGrant reports whether a plugin may fetch a URL only once the user grants
	// its host.
	NeedsGrant func(plugin, rawURL string) bool
	// Revoke ends the grants that only the plugin may use.
	Revoke func(ctx context.Context, plugin string) error
	// Configure changes errand.toml.
	Configure func(...config.Edit) error
}

// Request says which plugin to install.
type Request struct {
	Source string              // a folder, a module, an archive or an https URL
	SHA256 string              // of the file; a URL needs it
	Keys   []string            // minisign public keys that count beside those of the config
	Grants map[string][]string // folders for roots of the manifest's [[paths]], absolute or with ~/
	Module *ModuleRequest      // for a module without a manifest; nil: it has one
}

// Consent is what the user agreed to of a proposal.
type Consent struct {
	Yes       bool // to the permissions, or to the change of version
	Wider     bool // to more than was granted before, too
	Downgrade bool // to a version that is older than the installed one, too
}

// Propose reads a plugin and says what installing it would grant. It changes
// nothing.
func (i *Installer) Propose(ctx context.Context, r Request) (*Proposal, error) {
	p, err := i.read(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := i.checkUnused(p.Entry.ID); err != nil {
		return nil, err
	}
	return i.view(p), nil
}

// read reads a plugin and compares it with what is installed.
func (i *Installer) read(ctx context.Context, r Request) (p install.Proposal, err error) {
	var client *http.Client
	if strings.Contains(r.Source, "://") {
		if client, err = i.Fetcher(); err != nil {
			return p, err
		}
	}
	var m marks
	bundle, err := install.Read(ctx, install.Origin{Place: r.Source, SHA256: r.SHA256, Client: client, Describe: i.describe(r.Module, &m)})
	if err != nil {
		return p, err
	}
	if r.Module != nil && !bundle.Described {
		return p, tool.NewError(tool.ValidationError, "has_manifest", message.New("plugins.has_manifest", "source", r.Source)).
			WithHint(message.New("plugins.has_manifest_hint"))
	}
	tried, err := i.try(&bundle)
	if err != nil {
		return p, err
	}
	unload(tried)
	if err := CheckPhrases(i.Set, &bundle.Manifest); err != nil {
		return p, err
	}
	if err := i.Set.CheckModule(ctx, bundle.Manifest.ID, bundle.Manifest.ID+"/"+bundle.Manifest.Module, bundle.Module()); err != nil {
		return p, err
	}
	signature, err := bundle.Verify(i.Set.trust(r.Keys...))
	if err != nil {
		return p, err
	}
	grants, err := i.resolveGrants(r.Grants)
	if err != nil {
		return p, err
	}
	if p, err = i.Set.store().Propose(bundle, signature, grants); err != nil {
		return p, err
	}
	p.Entry.Reading = m.definitions
	for _, name := range m.withdrawn {
		p.Changes = append(p.Changes, Change{Text: message.New("plugins.mark_withdrawn", "tool", name)})
	}
	i.notePhrases(&p)
	return p, nil
}

// notePhrases adds a change of the plugin's phrases to a proposal.
func (i *Installer) notePhrases(p *install.Proposal) {
	if p.Installed == nil {
		return
	}
	was, err := i.Set.store().Manifest(*p.Installed)
	if err != nil {
		return // a damaged one is replaced
	}
	is := answersTo(&p.Bundle.Manifest)
	if !slices.EqualFunc(answersTo(&was), is, message.Message.Equal) {
		if len(is) == 0 {
			is = append(is, message.New("plugins.answers_to_none"))
		}
		p.Changes = append(p.Changes, Change{Text: is[0]})
	}
}

// Install installs a plugin as proposed. It compiles and starts the module first:
// one that does not run replaces nothing, and the first call of an installed one
// is fast.
func (i *Installer) Install(ctx context.Context, p *Proposal, agreed Consent) error {
	switch {
	case p.Downgrade && !agreed.Downgrade:
		return tool.NewError(tool.PolicyDenied, CodeDowngrade, message.New("plugins.plugin_downgrade", "id", p.ID, "version", p.Version, "installed", p.Was)).
			WithHint(message.New("plugins.plugin_downgrade_hint"))
	case !agreed.Yes:
		return tool.NewError(tool.PolicyDenied, CodeAsks, message.New("plugins.plugin_asks", "id", p.ID)).
			WithHint(message.New("plugins.plugin_asks_hint"))
	case p.Widens && !agreed.Wider:
		return tool.NewError(tool.PolicyDenied, CodeWider, message.New("plugins.plugin_wider", "id", p.ID, "version", p.Version, "installed", p.Was)).
			WithHint(message.New("plugins.plugin_wider_hint"))
	}
	tried, err := i.try(&p.proposal.Bundle)
	if err != nil {
		return err
	}
	defer unload(tried) // after the set has taken over the compiled module
	if err := tried.CheckStart(ctx); err != nil {
		e := *tool.AsError(err)
		e.Message = message.New("plugins.does_not_run", "cause", e.Message)
		return &e
	}
	if p.InPlace {
		if err := i.Set.store().AddConsent(ctx, p.dropped, p.proposal.Bundle); err != nil {
			return err
		}
		i.Set.reload()
		return nil
	}
	forget := func() {}
	if was := p.proposal.Installed; was != nil {
		forget = i.forgetCode(*was)
	}
	if _, err := i.Set.store().Install(ctx, p.proposal); err != nil {
		return err
	}
	i.Set.reload()
	forget()
	return nil
}

// try loads a plugin that is not installed yet.
func (i *Installer) try(b *install.Bundle) (*wasm.Plugin, error) {
	h, err := i.Set.Host()
	if err != nil {
		return nil, err
	}
	p, err := h.Load(b.FS())
	return p, InputError(err)
}

// checkUnused refuses an id that a plugin in a folder by hand has.
func (i *Installer) checkUnused(id string) error {
	folders, err := i.Set.folders()
	if err != nil {
		return err
	}
	for _, f := range folders {
		if f.entry != nil || f.bundled { // the ids of bundled ones are reserved
			continue
		}
		if cmp.Or(f.manifestID(), f.id()) == id {
			return tool.NewError(tool.ValidationError, "plugin_twice", message.New("plugins.id_taken_by_hand", "id", id, "folder", f.name)).
				WithHint(message.New("plugins.id_taken_by_hand_hint"))
		}
	}
	return nil
}

// resolveGrants makes the folders absolute, as the lock file holds them. It
// refuses folders that don't exist and those that no tool may have.
func (i *Installer) resolveGrants(grants map[string][]string) (map[string][]string, error) {
	resolved := map[string][]string{}
	for root, folders := range grants {
		if root == "files.roots" {
			return nil, tool.NewError(tool.ValidationError, "bad_grant", message.New("plugins.grant_of_roots")).
				WithHint(message.New("plugins.grant_of_roots_hint"))
		}
		for _, folder := range folders {
			place, err := i.Set.o.Config.Expand(folder)
			if err == nil {
				err = i.Set.o.Config.Grantable(place)
			}
			if err != nil {
				return nil, tool.NewError(tool.ValidationError, "bad_grant", message.New("plugins.bad_grant", "root", root, "cause", err)).WithHint(message.New("plugins.name_another_folder"))
			}
			info, err := os.Stat(place)
			switch {
			case err != nil:
				return nil, tool.NewError(tool.ValidationError, "bad_grant", message.New("plugins.bad_grant", "root", root, "cause", tool.FileFault(err))).WithHint(message.New("plugins.name_existing_folder"))
			case !info.IsDir():
				return nil, tool.NewError(tool.ValidationError, "bad_grant", message.New("plugins.grant_not_folder", "root", root, "folder", place)).WithHint(message.New("plugins.name_folder"))
			}
			resolved[root] = append(resolved[root], place)
		}
	}
	return resolved, nil
}
