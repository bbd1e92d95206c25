package plugins

import (
	"context"
	"io/fs"

	"errand/host/tool"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Codes of errors about a plugin that the user has not agreed to.
const (
	codeNew     = "plugin_new"     // a folder that somebody put there
	codeChanged = "plugin_changed" // its files changed after the user agreed
)

// checkConsent refuses a dropped plugin that the user has not agreed to, or whose
// files changed since. It returns its files, with the manifest in memory.
func checkConsent(f folder) (fs.FS, error) {
	if f.consent == nil {
		return nil, tool.NewError(tool.ToolUnavailable, codeNew, message.New("plugins.folder_new", "folder", f.name)).
			WithHint(message.New("plugins.folder_new_hint", "id", f.id()))
	}
	files, ok := f.consent.Open(f.fs)
	if !ok {
		return nil, changedError(f)
	}
	return files, nil
}

func changedError(f folder) *tool.Error {
	return tool.NewError(tool.ToolUnavailable, codeChanged, message.New("plugins.folder_changed", "folder", f.name)).
		WithHint(message.New("plugins.folder_changed_hint", "id", f.id()))
}

// checkSigner refuses an installed plugin that was signed by a key that the user no
// longer trusts. A key that was given for this plugin alone stays trusted for it.
func (s *Set) checkSigner(e install.Entry) error {
	if e.SignerKey == "" || e.KeyGiven || s.trust().Includes(e.SignerKey) {
		return nil
	}
	return tool.NewError(tool.ToolUnavailable, "signer_untrusted", message.New("plugins.signer_untrusted", "key", e.Signer)).
		WithHint(message.New("plugins.signer_untrusted_hint", "id", e.ID, "key", e.SignerKey))
}

// manifestID is the id in the manifest of a dropped plugin; "": it can't be read.
func (f folder) manifestID() string {
	text, err := install.ReadManifest(f.fs)
	if err != nil {
		return ""
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return ""
	}
	return m.ID
}

// ProposeEnable says what a plugin in a folder may do that the user has not agreed to
// yet, or not since its files changed. It returns nil if id is another plugin.
func (i *Installer) ProposeEnable(ctx context.Context, id string) (*Proposal, error) {
	f, err := i.findSwitchable(id)
	if err != nil && tool.AsError(err).Code == "not_installed" || err == nil && f.dropped == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	h, err := i.Set.Host()
	if err != nil {
		return nil, err
	}
	loaded, err := i.Set.load(h, f, nil)
	if err == nil {
		unload(loaded.Plugin)
		return nil, nil
	}
	if code := tool.AsError(err).Code; code != codeNew && code != codeChanged {
		return nil, err
	}
	p, err := i.read(ctx, Request{Source: f.name})
	if err != nil {
		return nil, err
	}
	if p.Installed != nil {
		return nil, tool.NewError(tool.ValidationError, "plugin_twice", message.New("plugins.in_two_folders", "id", p.Entry.ID, "first", i.Set.store().Folder(*p.Installed), "second", f.name)).
			WithHint(message.New("plugins.in_two_folders_hint"))
	}
	view := i.view(p)
	view.InPlace, view.dropped = true, f.dropped
	return view, nil
}

// enableDropped withdraws the consent for a dropped plugin, or checks that it has it.
func (i *Installer) enableDropped(ctx context.Context, f folder, on bool) error {
	if on {
		_, err := checkConsent(f)
		return err
	}
	if f.consent == nil {
		return nil
	}
	err := i.Set.store().Withdraw(ctx, f.dropped)
	i.Set.reload()
	return err
}
