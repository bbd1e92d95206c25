package view

import "errand/planner/message"

// Plugin is a plugin in the list.
type Plugin struct {
	ID          string            `json:"id"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	State       string            `json:"state"`  // on, off, refused, new, changed
	Origin      string            `json:"origin"` // bundled, installed, folder; decides what can be done with it
	ABI         string            `json:"abi"`
	Tools       []string          `json:"tools"`
	Permissions []message.Message `json:"permissions"`
	Hosts       []string          `json:"hosts"`
	Paths       []string          `json:"paths"`
	From        string            `json:"from"`   // the folder from which it is loaded
	Digest      string            `json:"digest"` // SHA-256 of the module
	Source      string            `json:"source"` // where an installed plugin came from
	Signer      string            `json:"signer"` // key id; "" for unsigned
	InstalledAt int64             `json:"installed_at"`
	Problem     *Failure          `json:"problem"` // why it is rejected, or disabled by the configuration
}

// PluginAsk asks to read a plugin.
type PluginAsk struct {
	Source  string        `json:"source"` // a folder, a module, an archive or an https URL
	SHA256  string        `json:"sha256"` // of the file; required for a URL
	Folders []FolderGrant `json:"folders"`
}

// FolderGrant gives a plugin folders for one of its roots.
type FolderGrant struct {
	Root    string   `json:"root"`
	Folders []string `json:"folders"` // absolute, or with ~/
}

// UpdateAsk asks for a newer version of an installed plugin.
type UpdateAsk struct {
	ID     string `json:"id"`
	SHA256 string `json:"sha256"` // of the new file, if the plugin came from a URL
	// New folders for its roots.
	Folders []FolderGrant `json:"folders"`
}

// PluginProposal is a plugin that was read and is not installed yet.
type PluginProposal struct {
	Token            string            `json:"token"` // for [API.InstallPlugin]; valid until the next proposal
	ID               string            `json:"id"`
	Version          string            `json:"version"`
	InstalledVersion string            `json:"was"` // the installed version; "": none
	Description      string            `json:"description"`
	Source           string            `json:"source"`
	Digest           string            `json:"digest"`
	Signer           string            `json:"signer"` // key id; "" for unsigned
	Signature        message.Message   `json:"signature"`
	Permissions      []message.Message `json:"permissions"`
	Changes          []PluginChange    `json:"changes"`   // differences from the installed plugin, wider rights first
	Widens           bool              `json:"widens"`    // it gets wider rights, which the user has to accept separately
	Downgrade        bool              `json:"downgrade"` // it is older, which the user has to accept separately
	InPlace          bool              `json:"in_place"`  // it stays in its place in the data folder
	IsInstalled      bool              `json:"same"`      // it is already installed
	Regrants         bool              `json:"regrants"`  // it gets other folders than before
	Folders          []FolderGrant     `json:"folders"`   // its roots with the granted folders
	Ungranted        []string          `json:"ungranted"` // its roots without a granted folder
	Unlisted         []string          `json:"unlisted"`  // hosts that policy doesn't allow
}

// PluginChange is one difference from the installed plugin.
type PluginChange struct {
	Text   message.Message `json:"text"`
	Widens bool            `json:"widens"`
}

// InstallAsk accepts a proposal.
type InstallAsk struct {
	Token string `json:"token"`
	Wider bool   `json:"wider"` // also accept wider rights
	// Downgrade accepts an older version.
	Downgrade bool `json:"downgrade"`
}

// PluginVerified is the result of checking an installed plugin against the lock.
type PluginVerified struct {
	ID      string   `json:"id"`
	Version string   `json:"version"`
	OK      bool     `json:"ok"`
	Signer  string   `json:"signer"`
	Problem *Failure `json:"problem"`
}
