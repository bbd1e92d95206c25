package install

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"errand/host/atomicfile"
	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/rights"
	"errand/planner/message"
)

// LockFile is the name of the file that lists the installed plugins.
const LockFile = "plugins.lock"

const (
	lockVersion = 1
	maxLock     = 4 << 20 // bytes
	lockHead    = "# Installed plugins and their permissions. Written by `errand plugin`; don't edit.\n\n"
)

// Lock is the list of installed plugins, sorted by id.
type Lock struct {
	Version int     `toml:"version"`
	Plugins []Entry `toml:"plugin"`
	// Folders are those that the user agreed to and that Errand did not install.
	Folders []Consent `toml:"consent,omitempty"`
	// Secrets are the keys of settings that some version of a plugin had as a secret, by the
	// plugin's id. They stay after an update and after the plugin is removed, because
	// errand.toml may still have the values.
	Secrets map[string][]string `toml:"secrets,omitempty"`
}

// Entry is one installed plugin.
type Entry struct {
	ID          string              `toml:"id" json:"id"`
	Version     string              `toml:"version" json:"version"`
	Enabled     bool                `toml:"enabled" json:"enabled"`
	Folder      string              `toml:"folder" json:"folder"` // below plugins/ID
	Module      string              `toml:"module_sha256" json:"module_sha256"`
	Manifest    string              `toml:"manifest_sha256" json:"manifest_sha256"`
	Source      string              `toml:"source" json:"source"`
	SourceSum   string              `toml:"source_sha256,omitempty" json:"source_sha256,omitempty"`
	Described   bool                `toml:"described,omitempty" json:"described,omitempty"` // its manifest was written at installation
	Signer      string              `toml:"signer,omitempty" json:"signer,omitempty"`       // a key's id; "": not signed
	SignerKey   string              `toml:"signer_key,omitempty" json:"signer_key,omitempty"`
	KeyGiven    bool                `toml:"key_given,omitempty" json:"key_given,omitempty"` // the user trusted the key for this plugin only
	InstalledAt time.Time           `toml:"installed_at" json:"installed_at"`
	RightsSum   string              `toml:"rights_sha256" json:"rights_sha256"`
	Rights      []string            `toml:"rights,multiline" json:"rights"`
	Grants      map[string][]string `toml:"grants,omitempty" json:"grants,omitempty"` // folders by the root that they stand for
	// Reading has the tools that the user marked as reading, by the module's own name,
	// with the digest of the definition that the user saw.
	Reading map[string]string `toml:"reading,omitempty" json:"reading,omitempty"`
}

// GivenKey is the key that the user trusted for this plugin only; "": none.
func (e *Entry) GivenKey() string {
	if e.KeyGiven {
		return e.SignerKey
	}
	return ""
}

// ParseRights parses the rights that the plugin was granted.
func (e *Entry) ParseRights() (rights.List, error) {
	l, err := rights.Parse(e.Rights)
	if err == nil && l.Digest() != e.RightsSum {
		err = message.Error("install.other_rights")
	}
	return l, err
}

// Find returns the entry of a plugin, or nil if it is not installed.
func (l *Lock) Find(id string) *Entry {
	if i := slices.IndexFunc(l.Plugins, func(e Entry) bool { return e.ID == id }); i >= 0 {
		return &l.Plugins[i]
	}
	return nil
}

// addEntry returns the lock with e in place of the entry with the same id.
func (l Lock) addEntry(e Entry) Lock {
	granted, _ := e.ParseRights() // the store made it
	l = l.removeEntry(e.ID).addSecrets(e.ID, granted)
	l.Plugins = append(l.Plugins, e)
	slices.SortFunc(l.Plugins, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	return l
}

// addSecrets returns the lock with the secret settings among a plugin's rights.
func (l Lock) addSecrets(plugin string, granted rights.List) Lock {
	keys := granted.SecretSettings()
	if len(keys) == 0 {
		return l
	}
	l.Secrets = maps.Clone(l.Secrets)
	if l.Secrets == nil {
		l.Secrets = map[string][]string{}
	}
	keys = append(keys, l.Secrets[plugin]...)
	slices.Sort(keys)
	l.Secrets[plugin] = slices.Compact(keys)
	return l
}

func (l Lock) removeEntry(id string) Lock {
	l.Plugins = slices.DeleteFunc(slices.Clone(l.Plugins), func(e Entry) bool { return e.ID == id })
	return l
}

// ReadLock reads the lock file. If it does not exist, no plugin is installed.
func (s *Store) ReadLock() (Lock, error) {
	text, err := readFile(s.lockPath(), maxLock)
	if errors.Is(err, fs.ErrNotExist) {
		return Lock{Version: lockVersion}, nil
	}
	if err != nil {
		return Lock{}, tool.UnavailableError("bad_lock", message.New("install.unreadable_lock", "cause", tool.FileFault(err))).WithHint(lockCure())
	}
	l, err := parseLock(text)
	if err != nil {
		return Lock{}, s.unreadableError(err)
	}
	return l, nil
}

func lockCure() message.Message { return message.New("install.restore_lock") }

func (s *Store) unreadableError(err error) *tool.Error {
	return tool.UnavailableError("bad_lock", message.New("install.bad_lock", "path", s.lockPath(), "cause", err)).
		WithHint(lockCure())
}

func parseLock(text []byte) (Lock, error) {
	var l Lock
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&l); err != nil {
		var decode *toml.DecodeError
		var strict *toml.StrictMissingError
		switch {
		case errors.As(err, &strict):
			row, _ := strict.Errors[0].Position()
			return l, message.Error("install.lock_unknown_key", "line", row, "key", strings.Join(strict.Errors[0].Key(), "."))
		case errors.As(err, &decode):
			row, _ := decode.Position()
			if key := decode.Key(); len(key) > 0 && strings.Contains(decode.Error(), "cannot decode") { // the rest names Go types
				return l, message.Error("install.lock_value_of_other_kind", "line", row, "key", strings.Join(key, "."))
			}
			return l, message.Error("install.lock_syntax", "line", row, "cause", message.Verbatim(strings.TrimPrefix(decode.Error(), "toml: ")))
		}
		return l, message.Error("install.lock_bad_value") // a time: the decoder gives no line for it
	}
	if l.Version != lockVersion {
		return l, message.Error("install.lock_version", "version", l.Version, "known", lockVersion)
	}
	for i := range l.Plugins {
		if err := l.Plugins[i].check(); err != nil {
			return l, message.Error("install.lock_entry", "plugin", l.Plugins[i].ID, "cause", err)
		}
		if i > 0 && l.Plugins[i-1].ID >= l.Plugins[i].ID {
			return l, message.Error("install.lock_order", "plugin", l.Plugins[i].ID)
		}
	}
	for i := range l.Folders {
		if err := l.Folders[i].check(); err != nil {
			return l, message.Error("install.lock_entry", "plugin", l.Folders[i].Folder, "cause", err)
		}
	}
	return l, nil
}

func (e *Entry) check() error {
	switch {
	case !manifest.ValidID(e.ID):
		return message.Error("install.bad_id")
	case !fs.ValidPath(e.Folder) || strings.ContainsAny(e.Folder, `/\`) || strings.HasPrefix(e.Folder, "."):
		return message.Error("install.bad_folder_name", "folder", e.Folder)
	case !hexDigest(e.Module), !hexDigest(e.Manifest), e.SourceSum != "" && !hexDigest(e.SourceSum):
		return message.Error("install.bad_lock_digest")
	}
	for root, folders := range e.Grants {
		for _, folder := range folders {
			if !filepath.IsAbs(folder) {
				return message.Error("install.grant_not_absolute", "folder", folder, "root", root)
			}
		}
	}
	for name, definition := range e.Reading {
		if name == "" || !hexDigest(definition) {
			return message.Error("install.bad_lock_digest")
		}
	}
	_, err := e.ParseRights()
	return err
}

func (l Lock) text() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(lockHead)
	err := toml.NewEncoder(&b).Encode(l)
	return b.Bytes(), err
}

// writeLock replaces the lock file atomically.
func (s *Store) writeLock(l Lock) error {
	text, err := l.text()
	if err != nil {
		return err
	}
	back, err := parseLock(text)
	if err != nil { // don't write a file that can't be read
		return message.Error("install.write_lock", "file", LockFile, "cause", err)
	}
	for i := range l.Plugins { // a value such as a path with invalid UTF-8 would be read back differently
		if !equalEntries(&back.Plugins[i], &l.Plugins[i]) {
			return refusedError("unwritable", message.New("install.unwritable_name", "plugin", l.Plugins[i].ID)).
				WithHint(message.New("install.rename_folder"))
		}
	}
	if err := atomicfile.Write(s.lockPath(), text, 0o600); err != nil {
		return err
	}
	return syncDir(s.dir)
}
