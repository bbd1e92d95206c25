package view

import "errand/planner/message"

// Plugin is a plugin in the list.
type Plugin struct {
	ID          string            `json:"id"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	State       string            `json:"state"`  // on, off, refused, new, changed
	Origin      string            `json:"origin"` // bundled, installed, folder: what can be done with it
	ABI         string            `json:"abi"`
	Tools       []string          `json:"tools"`
	Permissions []message.Message `json:"permissions"`
	Hosts       []string          `json:"hosts"`
	Paths       []string          `json:"paths"`
	From        string            `json:"from"`   // the folder that it is loaded from
	Digest      string            `json:"digest"` // SHA-256 of the module
	Source      string            `json:"source"` // where an installed one came from
	Signer      string            `json:"signer"` // key id; "" for unsigned
	InstalledAt int64             `json:"installed_at"`
	Problem     *Failure          `json:"problem"` // why it is refused, or switched off by the configuration
}

// PluginAsk asks for a plugin to be read.
type PluginAsk struct {
	Source  string        `json:"source"` // a folder, a module, an archive or an https URL
	SHA256  string        `json:"sha256"` // of the file; a URL needs it
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
	SHA256 string `json:"sha256"` // of the new file, where the plugin came from a URL
	// Folders in place of those that its roots stood for, or beside them.
	Folders []FolderGrant `json:"folders"`
}

// PluginProposal is a plugin that was read and is not installed yet.
type PluginProposal struct {
	Token            string            `json:"token"` // for [API.InstallPlugin]; lasts until the next proposal
	ID               string            `json:"id"`
	Version          string            `json:"version"`
	InstalledVersion string            `json:"was"` // the version that is installed; "": none
	Description      string            `json:"description"`
	Source           string            `json:"source"`
	Digest           string            `json:"digest"`
	Signer           string            `json:"signer"` // key id; "" for unsigned
	Signature        message.Message   `json:"signature"`
	Permissions      []message.Message `json:"permissions"`
	Changes          []PluginChange    `json:"changes"`   // against what is installed, those that widen first
	Widens           bool              `json:"widens"`    // it may do more than before: that is agreed to by itself
	Downgrade        bool              `json:"downgrade"` // agreed to by itself, too
	InPlace          bool              `json:"in_place"`  // it stays in the folder that somebody put into the data folder
	IsInstalled      bool              `json:"same"`      // it is what is installed already
	Regrants         bool              `json:"regrants"`  // it is given other folders than before
	Folders          []FolderGrant     `json:"folders"`   // its own roots, and what stands for each
	Ungranted        []string          `json:"ungranted"` // its own roots that stand for no folder
	Unlisted         []string          `json:"unlisted"`  // hosts that policy doesn't let it reach
}

// PluginChange is one difference from what is installed.
type PluginChange struct {
	Text   message.Message `json:"text"`
	Widens bool            `json:"widens"`
}

// InstallAsk agrees to a proposal.
type InstallAsk struct {
	Token string `json:"token"`
	Wider bool   `json:"wider"` // also to what widens
	// Downgrade also agrees to an older version.
	Downgrade bool `json:"downgrade"`
}

// PluginVerified is an installed plugin that was compared with the lock.
type PluginVerified struct {
	ID      string   `json:"id"`
	Version string   `json:"version"`
	OK      bool     `json:"ok"`
	Signer  string   `json:"signer"`
	Problem *Failure `json:"problem"`
}
