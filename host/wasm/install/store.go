package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Store is the folder of installed plugins. It is safe for use by several
// goroutines and processes.
type Store struct {
	dir string
	now func() time.Time
}

// New returns the store in a data folder, which may not exist yet.
func New(data string, now func() time.Time) *Store { return &Store{data, now} }

func (s *Store) lockPath() string   { return filepath.Join(s.dir, LockFile) }
func (s *Store) pluginsDir() string { return filepath.Join(s.dir, "plugins") }

// Folder returns the folder of an installed plugin's files.
func (s *Store) Folder(e Entry) string { return filepath.Join(s.pluginsDir(), e.ID, e.Folder) }

// staging is the prefix of folders that are not in place yet or no longer.
const staging = ".new-"

// turnTime limits the wait for another process that changes plugins.
const turnTime = 20 * time.Second

// turn waits until no other process changes plugins.
func (s *Store) turn(ctx context.Context) (done func(), err error) {
	if err := os.MkdirAll(s.pluginsDir(), 0o700); err != nil {
		return nil, tool.UnavailableError("plugins_unwritable", message.New("install.plugins_unwritable", "cause", err))
	}
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	lock := flock.New(filepath.Join(s.pluginsDir(), ".lock"), flock.SetPermissions(0o600))
	if ok, err := lock.TryLockContext(ctx, 20*time.Millisecond); !ok {
		return nil, tool.NewError(tool.ToolUnavailable, "plugins_busy", message.New("install.plugins_busy", "cause", err)).
			WithHint(message.New("install.try_again_later"))
	}
	return func() { _ = lock.Close() }, nil
}

// change changes the lock while it has the turn. was is the plugin's entry that
// the caller saw; if it has changed meanwhile, change does nothing and fails.
func (s *Store) change(ctx context.Context, id string, was *Entry, do func(Lock) (Lock, error)) error {
	done, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	lock, err := s.ReadLock()
	if err != nil {
		return err
	}
	if now := lock.Find(id); !equalEntries(was, now) {
		return refusedError("plugin_changed", message.New("install.plugin_changed", "plugin", id)).WithHint(message.New("install.look_again"))
	}
	if lock, err = do(lock); err != nil {
		return writeError(err)
	}
	if err := s.writeLock(lock); err != nil {
		return writeError(err)
	}
	s.sweep(lock)
	return nil
}

// writeError adds context to a write error, unless it is a *tool.Error.
func writeError(err error) error {
	if _, ok := errors.AsType[*tool.Error](err); ok {
		return err
	}
	return tool.UnavailableError("plugins_unwritable", message.New("install.write_plugin", "cause", err)).WithHint(message.New("install.check_disk"))
}

func equalEntries(a, b *Entry) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.InstalledAt, y.InstalledAt = x.InstalledAt.UTC(), y.InstalledAt.UTC()
	return x.InstalledAt.Equal(y.InstalledAt) && func() bool {
		x.InstalledAt, y.InstalledAt = time.Time{}, time.Time{}
		return reflect.DeepEqual(x, y)
	}()
}

// Install installs a proposal completely or not at all.
func (s *Store) Install(ctx context.Context, p Proposal) (Entry, error) {
	e := p.Entry
	e.InstalledAt = s.now().UTC().Truncate(time.Second)
	return e, s.change(ctx, e.ID, p.Installed, func(lock Lock) (Lock, error) {
		folder, err := s.put(e, p.Bundle.files)
		e.Folder = folder
		return lock.addEntry(e), err
	})
}

// put writes a plugin's files into a new folder and returns its name. The lock
// does not refer to it yet.
func (s *Store) put(e Entry, files map[string][]byte) (string, error) {
	home := filepath.Join(s.pluginsDir(), e.ID)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	stage, err := os.MkdirTemp(home, staging)
	if err != nil {
		return "", err
	}
	for name, content := range files {
		if err := writeFile(filepath.Join(stage, name), content); err != nil {
			return "", errors.Join(err, os.RemoveAll(stage))
		}
	}
	for n := 0; ; n++ {
		folder := folderName(e, n)
		// Don't reuse the folder of an identical installation. The lock may still
		// refer to it, and it may be damaged.
		if _, err := os.Lstat(filepath.Join(home, folder)); err == nil {
			continue
		}
		err := errors.Join(syncDir(stage), os.Rename(stage, filepath.Join(home, folder)))
		if err != nil {
			return "", errors.Join(err, os.RemoveAll(stage))
		}
		return folder, errors.Join(syncDir(home), syncDir(s.pluginsDir()))
	}
}

// folderName is made of the version's valid characters and the digests.
func folderName(e Entry, n int) string {
	version := strings.Map(func(r rune) rune {
		if strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+", r) {
			return r
		}
		return '_'
	}, e.Version)
	name := strings.TrimLeft(fmt.Sprintf("%.32s-%s", version, sum([]byte(e.Manifest + e.Module))[:12]), ".")
	if n > 0 {
		name += fmt.Sprintf("-%d", n+1)
	}
	return name
}

// Remove uninstalls a plugin and deletes its files.
func (s *Store) Remove(ctx context.Context, was Entry) error {
	return s.change(ctx, was.ID, &was, func(lock Lock) (Lock, error) { return lock.removeEntry(was.ID), nil })
}

// Enable sets whether a plugin is loaded.
func (s *Store) Enable(ctx context.Context, was Entry, on bool) error {
	return s.change(ctx, was.ID, &was, func(lock Lock) (Lock, error) {
		e := was
		e.Enabled = on
		return lock.addEntry(e), nil
	})
}

// ownName matches the folders that put makes, including temporary ones.
var ownName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(staging) + `|-[0-9a-f]{12}(-[0-9]+)?$`)
})

// sweep deletes folders that no entry refers to: removed plugins, earlier versions
// and interrupted installations. The next sweep retries what can't be deleted now.
// It keeps folders that a user put there.
func (s *Store) sweep(lock Lock) {
	if leftovers, err := filepath.Glob(filepath.Join(s.dir, "."+LockFile+"-*")); err == nil {
		for _, name := range leftovers {
			_ = os.Remove(name)
		}
	}
	s.eachStray(lock, func(folder string) { _ = os.RemoveAll(folder) })
	homes, err := os.ReadDir(s.pluginsDir())
	if err != nil {
		return
	}
	for _, home := range homes {
		if home.IsDir() && manifest.ValidID(home.Name()) {
			_ = os.Remove(filepath.Join(s.pluginsDir(), home.Name())) // fails unless it is empty, which is fine
		}
	}
}

// eachStray calls do with each of our folders that the lock does not list.
func (s *Store) eachStray(lock Lock, do func(folder string)) {
	homes, err := os.ReadDir(s.pluginsDir())
	if err != nil {
		return
	}
	for _, home := range homes {
		dir := filepath.Join(s.pluginsDir(), home.Name())
		if _, err := os.Lstat(filepath.Join(dir, manifest.File)); err == nil || !home.IsDir() || !manifest.ValidID(home.Name()) {
			continue
		}
		versions, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, v := range versions {
			if e := lock.Find(home.Name()); ownName().MatchString(v.Name()) && (e == nil || e.Folder != v.Name()) {
				do(filepath.Join(dir, v.Name()))
			}
		}
	}
}

// UnlistedFolders returns the folders of installed plugins that the lock does not list, for
// example after the lock was lost. The next change deletes them.
func (s *Store) UnlistedFolders(lock Lock) []string {
	var stray []string
	s.eachStray(lock, func(folder string) { stray = append(stray, folder) })
	return stray
}

// Open returns an installed plugin's files if they have not changed. Its manifest is in
// memory, so that it stays the one that was checked. The caller checks the module.
func (s *Store) Open(e Entry) (fs.FS, error) {
	_, text, err := s.readManifest(e)
	return pinnedManifest{os.DirFS(s.Folder(e)), text}, err
}

// Manifest returns an installed plugin's manifest if it has not changed.
func (s *Store) Manifest(e Entry) (manifest.Manifest, error) {
	m, _, err := s.readManifest(e)
	return m, err
}

func (s *Store) readManifest(e Entry) (m manifest.Manifest, text []byte, err error) {
	if text, err = readFile(filepath.Join(s.Folder(e), manifest.File), manifest.MaxSize); err != nil {
		return m, nil, changedError(e, readFault(manifest.File, err))
	}
	if how := difference(manifest.File, text, e.Manifest); !how.IsZero() {
		return m, nil, changedError(e, how)
	}
	m, err = manifest.Parse(text)
	if err != nil { // installed by an older version with fewer rules
		return m, nil, tool.UnavailableError("bad_manifest", message.New("install.bad_installed_manifest", "plugin", e.ID, "cause", err)).
			WithHint(message.New("install.update_or_remove", "plugin", e.ID))
	}
	if m.ID != e.ID {
		return m, nil, changedError(e, message.New("install.manifest_of_other_plugin", "plugin", m.ID))
	}
	return m, text, nil
}

// Verify checks all files of an installed plugin against the lock, and its
// signature against the trusted keys.
func (s *Store) Verify(e Entry, trust Trust) error {
	m, err := s.Manifest(e)
	if err != nil {
		return err
	}
	code, err := readFile(filepath.Join(s.Folder(e), m.Module), MaxModule)
	if err != nil {
		return changedError(e, readFault(m.Module, err))
	}
	if how := difference(m.Module, code, e.Module); !how.IsZero() {
		return changedError(e, how)
	}
	b, err := readFolder(s.Folder(e), "")
	if err != nil {
		return changedError(e, message.FromError(err))
	}
	if how := difference(manifest.File, b.Text(), e.Manifest); !how.IsZero() { // they may have been replaced in between
		return changedError(e, how)
	}
	if how := difference(m.Module, b.Module(), e.Module); !how.IsZero() {
		return changedError(e, how)
	}
	signature, err := b.Verify(trust)
	if err == nil && e.SignerKey != "" && len(trust.Keys)+len(trust.PluginKeys) > 0 && signature.Key != e.SignerKey {
		err = changedError(e, message.New("install.signer_changed", "signature", signature.Note, "key", e.Signer))
	}
	return err
}

// readFault describes why an installed file can't be read.
func readFault(name string, err error) message.Message {
	if errors.Is(err, fs.ErrNotExist) {
		return message.New("install.file_gone", "name", name)
	}
	return message.New("install.file_unreadable", "name", name, "cause", err)
}

// appendWindow is how many trailing bytes are checked for an addition to a file.
const appendWindow = 64 << 10

// difference describes how a file differs from the one with a digest. It returns
// the zero Message if they are the same.
func difference(name string, content []byte, want string) message.Message {
	got := sum(content)
	if got == want {
		return message.Message{}
	}
	if len(content) == 0 {
		return message.New("install.file_emptied", "name", name)
	}
	from := max(0, len(content)-appendWindow)
	so := sha256.New()
	so.Write(content[:from])
	for n := from; n < len(content); n++ {
		if hex.EncodeToString(so.Sum(nil)) == want {
			return message.New("install.file_longer", "name", name, "more", len(content)-n)
		}
		so.Write(content[n : n+1])
	}
	return message.New("install.file_changed", "name", name, "size", len(content), "got", got, "want", want)
}

// changedError returns the error for a plugin whose files have changed.
func changedError(e Entry, m message.Message) *tool.Error {
	source := e.Source
	if strings.Contains(source, "://") {
		source += " --sha256 " + e.SourceSum
	}
	return tool.UnavailableError("plugin_tampered", message.New("install.plugin_tampered", "plugin", e.ID, "fault", m)).
		WithHint(message.New("install.reinstall_or_remove", "source", source, "plugin", e.ID))
}

func writeFile(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncDir makes new names in a folder durable. Windows does not support that.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
