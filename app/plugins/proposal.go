package plugins

import (
	"maps"
	"slices"

	"errand/host/wasm/install"
	"errand/host/wasm/rights"
	"errand/planner/message"
	"errand/policy"
)

// Change is one difference between a plugin and what is installed.
type Change = rights.Change

// Proposal is a plugin that was read and checked, and is not installed yet.
type Proposal struct {
	ID          string            `json:"id"`
	Version     string            `json:"version"`
	Was         string            `json:"was,omitempty"` // the installed version; "": none
	Description string            `json:"description"`
	Source      string            `json:"source"`
	Digest      string            `json:"digest"` // of the module
	Signature   install.Signature `json:"signature"`
	Permissions []message.Message `json:"permissions"`
	Ungranted   []string          `json:"ungranted"` // its own roots without a folder
	Unlisted    []string          `json:"unlisted"`  // hosts that the config doesn't let it reach
	Changes     []Change          `json:"changes"`   // against what is installed
	Widens      bool              `json:"widens"`    // it may do more than before
	Downgrade   bool              `json:"downgrade"`
	Same        bool              `json:"same"`     // it equals what is installed
	Regrants    bool              `json:"regrants"` // it gets other folders than before
	// InPlace: it stays in the folder that somebody put into the data folder.
	InPlace bool `json:"in_place,omitempty"`
	// Folders are its own roots with their folders; Ungranted names those without.
	Folders []RootFolders `json:"folders"`

	proposal install.Proposal
	dropped  string // the folder's name below plugins, if InPlace
}

// RootFolders are the folders for one of a plugin's own roots.
type RootFolders struct {
	Root    string   `json:"root"`
	Folders []string `json:"folders"`
}

// view describes a proposal for the user.
func (i *Installer) view(p install.Proposal) *Proposal {
	folders := map[string][]string{"files.roots": i.Set.o.Config.Roots()}
	maps.Copy(folders, p.Entry.Grants)
	view := &Proposal{
		ID: p.Entry.ID, Version: p.Entry.Version, Description: p.Bundle.Manifest.Description, Source: p.Entry.Source, Digest: p.Entry.Module,
		Signature: p.Signature, Permissions: withMarks(p.Rights.Words(folders), marks{definitions: p.Entry.Reading}.names()), Changes: p.Changes, Widens: p.WidensRights(), Downgrade: p.Downgrade, Same: p.IsInstalled,
		proposal: p,
	}
	view.Permissions = append(view.Permissions, answersTo(&p.Bundle.Manifest)...)
	view.Ungranted, view.Folders = []string{}, []RootFolders{}
	for _, path := range p.Bundle.Manifest.Paths {
		if path.Root == "files.roots" {
			continue
		}
		view.Folders = append(view.Folders, RootFolders{path.Root, append([]string{}, folders[path.Root]...)})
		if len(folders[path.Root]) == 0 {
			view.Ungranted = append(view.Ungranted, path.Root)
		}
	}
	view.Unlisted = []string{}
	for _, pattern := range p.Bundle.Manifest.Hosts {
		example := policy.ExampleURL(pattern) // "" of a pattern for many hosts
		if example != "" && i.NeedsGrant(p.Entry.ID, example) {
			view.Unlisted = append(view.Unlisted, pattern)
		}
	}
	if view.Changes == nil {
		view.Changes = []Change{}
	}
	if p.Installed != nil {
		view.Was = p.Installed.Version
		view.Regrants = !maps.EqualFunc(p.Installed.Grants, p.Entry.Grants, slices.Equal)
	}
	return view
}
