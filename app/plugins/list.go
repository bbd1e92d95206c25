package plugins

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/host/wasm/rights"
	"errand/planner/message"
)

// State says whether a plugin's tools can be used.
type State string

// States of plugins.
const (
	On            State = "on"
	Off           State = "off"     // disabled; Problem says so if only an environment variable can enable it
	Refused       State = "refused" // Problem says why
	NewFolder     State = "new"     // somebody put it into the data folder; the user has not agreed to it
	ChangedFolder State = "changed" // its files changed after the user agreed to it
)

// Info describes a plugin in a list.
type Info struct {
	ID      string   `json:"id"`
	Version string   `json:"version"`
	State   State    `json:"state"`
	ABI     string   `json:"abi"`
	Tools   []string `json:"tools"`
	Phrases []string `json:"phrases,omitempty"` // that call them in words
	Hosts   []string `json:"hosts"`
	Paths   []string `json:"paths"`
	// Ungranted are those of Paths without a folder of this machine.
	Ungranted []string    `json:"ungranted,omitempty"`
	From      string      `json:"from"`   // the folder that it is loaded from, or bundled/ID
	Digest    string      `json:"digest"` // of the module
	Problem   *tool.Error `json:"problem,omitempty"`
	// Of installed ones:
	Source      string     `json:"source,omitempty"`
	Signer      string     `json:"signer,omitempty"`
	InstalledAt *time.Time `json:"installed_at,omitempty"`
	Reading     []string   `json:"reading,omitempty"` // tools that the user marked as reading, by the module's own names
	// Of those that can be read:
	Description string            `json:"-"`
	Permissions []message.Message `json:"-"`
	Bundled     bool              `json:"-"` // it is part of the program
}

// List lists all plugins, also those that are disabled or can't be loaded. It
// reads each file and compares it with the lock file.
func (s *Set) List() ([]Info, error) {
	h, err := s.Host()
	if err != nil {
		return nil, err
	}
	folders, err := s.folders()
	if err != nil {
		return nil, err
	}
	list := []Info{}
	for _, l := range s.loadFolders(h, folders, nil, true) {
		list = append(list, s.info(h, l))
		l.drop(nil)
	}
	return list, nil
}

func (s *Set) info(h *wasm.Host, l loading) Info {
	f := l.folder
	info := Info{ID: f.id(), State: On, Tools: []string{}, Hosts: []string{}, Paths: []string{}, From: f.name, Bundled: f.bundled, Problem: l.err}
	if e := f.entry; e != nil {
		info.Version, info.Digest, info.Source, info.Signer, info.InstalledAt = e.Version, e.Module, e.Source, e.Signer, &e.InstalledAt
		info.Reading = marks{definitions: e.Reading}.names()
	}
	switch {
	case l.err == nil:
	case l.err.Code == codeNew:
		info.State = NewFolder
	case l.err.Code == codeChanged:
		info.State = ChangedFolder
	default:
		info.State = Refused
	}
	if p := l.Plugin.Plugin; p != nil {
		info.fill(p, f.entry)
		info.Permissions = s.permissions(f, p)
	} else if info.State == NewFolder || info.State == ChangedFolder {
		if p, err := h.Load(f.fs); err == nil { // what the user would agree to
			info.fill(p, nil)
			info.Permissions = s.permissions(f, p)
			unload(p)
		}
	}
	switch {
	case !s.Enabled(info.ID):
		info.State, info.Problem = Off, s.lockedSwitch(info.ID)
	case f.entry != nil && !f.entry.Enabled:
		info.State = Off
	}
	return info
}

// permissions says what a plugin may do: what the user agreed to when it
// was installed, otherwise what its manifest asks for.
func (s *Set) permissions(f folder, p *wasm.Plugin) []message.Message {
	m := p.Manifest()
	phrases := answersTo(&m)
	may := rights.FromManifest(&m, nil)
	folders := map[string][]string{"files.roots": s.o.Config.Roots()}
	if f.entry != nil {
		if granted, err := f.entry.ParseRights(); err == nil {
			may = granted
		}
		maps.Copy(folders, f.entry.Grants)
	}
	if f.entry == nil {
		return append(may.Words(folders), phrases...)
	}
	return append(withMarks(may.Words(folders), marks{definitions: f.entry.Reading}.names()), phrases...)
}

func (info *Info) fill(p *wasm.Plugin, e *install.Entry) {
	m := p.Manifest()
	info.ID, info.Version, info.ABI, info.Digest = m.ID, m.Version, string(m.ABI), p.Digest()
	info.Description = m.Description
	info.Hosts = append(info.Hosts, m.Hosts...)
	for _, t := range m.Tools {
		info.Tools = append(info.Tools, t.Name)
	}
	for _, p := range m.Phrases {
		info.Phrases = append(info.Phrases, p.Text)
	}
	for _, path := range m.Paths {
		name := strings.TrimSuffix(fmt.Sprintf("%s:%s", path.Root, path.Mode), ":rw")
		info.Paths = append(info.Paths, name)
		if path.Root != "files.roots" && (e == nil || len(e.Grants[path.Root]) == 0) {
			info.Ungranted = append(info.Ungranted, name)
		}
	}
}

// InstalledIDs are the ids of the installed plugins, in order.
func (s *Set) InstalledIDs() ([]string, error) {
	lock, err := s.readLock()
	ids := make([]string, len(lock.Plugins))
	for i, e := range lock.Plugins {
		ids[i] = e.ID
	}
	return ids, err
}
