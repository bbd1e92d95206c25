package install

import (
	"slices"

	"errand/host/wasm/rights"
	"errand/planner/message"
)

// Proposal is an installation that the user has not approved yet.
type Proposal struct {
	Bundle      Bundle
	Entry       Entry // the new entry of the lock
	Installed   *Entry
	Signature   Signature
	Rights      rights.List
	Changes     []rights.Change // compared with Installed; nil for a new plugin
	Downgrade   bool
	IsInstalled bool // exactly these files are installed
}

// WidensRights reports whether the plugin needs rights that were not approved.
func (p *Proposal) WidensRights() bool { return rights.HasWidening(p.Changes) }

// Propose compares a plugin with the installed one with its id. grants are folders
// for the roots of its [[paths]]; earlier grants stay.
func (s *Store) Propose(b Bundle, signature Signature, grants map[string][]string) (Proposal, error) {
	lock, err := s.ReadLock()
	if err != nil {
		return Proposal{}, err
	}
	m := &b.Manifest
	p := Proposal{Bundle: b, Installed: lock.Find(m.ID), Signature: signature, Rights: rights.FromManifest(m, b.Inspection.Needs)}
	p.Entry = Entry{
		ID: m.ID, Version: m.Version, Enabled: true, Module: b.Inspection.SHA256, Manifest: sum(b.Text()),
		Source: b.Source, SourceSum: b.SourceSum, Described: b.Described, Signer: signature.Signer, SignerKey: signature.Key, KeyGiven: signature.IsPluginKey,
		RightsSum: p.Rights.Digest(), Rights: p.Rights.Lines(), Grants: map[string][]string{},
	}
	for root := range grants {
		if !slices.ContainsFunc(p.Rights, func(r rights.Right) bool { return r.Kind == rights.Folder && r.Name == root }) {
			return p, refusedError("no_such_root", message.New("install.no_such_root", "plugin", m.ID, "root", root)).WithHint(roots(p.Rights))
		}
		p.Entry.Grants[root] = grants[root]
	}
	if p.Installed == nil {
		p.Entry.Grants = nilIfEmpty(p.Entry.Grants)
		return p, nil
	}
	was := *p.Installed
	p.Installed = &was
	for _, r := range p.Rights {
		if granted, ok := was.Grants[r.Name]; ok && r.Kind == rights.Folder && p.Entry.Grants[r.Name] == nil {
			p.Entry.Grants[r.Name] = granted
		}
	}
	p.Entry.Grants = nilIfEmpty(p.Entry.Grants)
	p.Entry.Enabled = was.Enabled
	before, err := was.ParseRights()
	if err != nil {
		return p, s.unreadableError(err)
	}
	p.Changes = append(signerChange(was, signature), rights.Compare(before, p.Rights)...)
	p.Downgrade = isOlder(m.Version, was.Version)
	p.IsInstalled = was.Module == p.Entry.Module && was.Manifest == p.Entry.Manifest
	return p, nil
}

// signerChange returns the widening change of a different or missing signer.
func signerChange(was Entry, is Signature) []rights.Change {
	switch {
	case was.SignerKey == is.Key || was.Signer == "":
		return nil
	case is.Signer == "":
		return []rights.Change{{Text: message.New("install.no_longer_signed", "key", was.Signer), Widens: true}}
	}
	return []rights.Change{{Text: message.New("install.signed_by_other", "key", is.Signer, "before", was.Signer), Widens: true}}
}

// roots says which folders a plugin asks for.
func roots(l rights.List) message.Message {
	var names []string
	for _, r := range l {
		if r.Kind == rights.Folder {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return message.New("install.asks_for_no_folder")
	}
	return message.New("install.asks_for_folders", "roots", names)
}

func nilIfEmpty(m map[string][]string) map[string][]string {
	if len(m) == 0 {
		return nil
	}
	return m
}
