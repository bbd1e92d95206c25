package install

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"time"

	"errand/host/wasm/manifest"
	"errand/host/wasm/rights"
	"errand/planner/message"
)

// Consent is the user's agreement to what a plugin may do that lies in a folder of
// its own in the plugins folder. It holds for exactly these files.
type Consent struct {
	Folder   string    `toml:"folder"` // name below plugins
	Module   string    `toml:"module_sha256"`
	Manifest string    `toml:"manifest_sha256"`
	AgreedAt time.Time `toml:"agreed_at"`
}

func (c *Consent) check() error {
	switch {
	case !fs.ValidPath(c.Folder) || strings.ContainsAny(c.Folder, `/\`) || c.Folder == ".":
		return message.Error("install.bad_folder_name", "folder", c.Folder)
	case !hexDigest(c.Module), !hexDigest(c.Manifest):
		return message.Error("install.bad_lock_digest")
	}
	return nil
}

// FindConsent returns the consent for a folder below plugins, or nil.
func (l *Lock) FindConsent(folder string) *Consent {
	if i := slices.IndexFunc(l.Folders, func(c Consent) bool { return c.Folder == folder }); i >= 0 {
		return &l.Folders[i]
	}
	return nil
}

// AddConsent records that the user agreed to a plugin in a folder below plugins, as it
// was when b was read.
func (s *Store) AddConsent(ctx context.Context, folder string, b Bundle) error {
	return s.changeConsents(ctx, func(l Lock) Lock {
		l.Folders = append(withoutConsent(l.Folders, folder), Consent{folder, b.Inspection.SHA256, sum(b.Text()), s.now().UTC().Truncate(time.Second)})
		slices.SortFunc(l.Folders, func(a, b Consent) int { return strings.Compare(a.Folder, b.Folder) })
		return l.addSecrets(b.Manifest.ID, rights.FromManifest(&b.Manifest, nil))
	})
}

// Withdraw removes the consent for a folder below plugins.
func (s *Store) Withdraw(ctx context.Context, folder string) error {
	return s.changeConsents(ctx, func(l Lock) Lock {
		l.Folders = withoutConsent(l.Folders, folder)
		return l
	})
}

func withoutConsent(list []Consent, folder string) []Consent {
	return slices.DeleteFunc(slices.Clone(list), func(c Consent) bool { return c.Folder == folder })
}

func (s *Store) changeConsents(ctx context.Context, change func(Lock) Lock) error {
	done, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	lock, err := s.ReadLock()
	if err != nil {
		return err
	}
	if err := s.writeLock(change(lock)); err != nil {
		return writeError(err)
	}
	return nil
}

// Open returns the files of a plugin's folder, with the manifest in memory. ok is false
// if they are not those that the user agreed to.
func (c *Consent) Open(folder fs.FS) (files fs.FS, ok bool) {
	text, err := ReadManifest(folder)
	if err != nil || sum(text) != c.Manifest {
		return nil, false
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return nil, false
	}
	code, err := ReadFile(folder, m.Module, MaxModule)
	if err != nil || sum(code) != c.Module {
		return nil, false
	}
	return pinnedManifest{folder, text}, true
}

// pinnedManifest is a folder whose manifest is the text.
type pinnedManifest struct {
	fs.FS
	text []byte
}

// Open implements [fs.FS].
func (p pinnedManifest) Open(name string) (fs.File, error) {
	if name == manifest.File {
		return memory{name: p.text}.Open(name)
	}
	return p.FS.Open(name)
}
