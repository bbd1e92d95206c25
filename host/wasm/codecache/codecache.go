// Package codecache stores compiled modules between runs of the program.
//
// The program executes machine code from the cache, so an attacker who can write
// to it could run any code. Therefore each folder of the cache is sealed with a
// keyed digest (HMAC-SHA-256) of the names and contents of its files. The key is
// stored elsewhere, readable only by the user. No code runs before its folder was
// verified. A folder that fails is deleted and its module compiled again.
//
// Files are verified while they are read. The seal detects changes made while the
// program was not running (by another program, a backup or a plugin with broad
// access). It does not protect against an attacker who can write as the user at
// that moment and could also replace the program.
package codecache

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/host/keyfile"
	"errand/planner/message"
)

// Cache is a folder of sealed folders. It is safe for concurrent use, except for
// concurrent work on one folder.
type Cache struct {
	dir string
	key []byte
}

// MaxEntries is the maximum number of folders; the most recently used ones stay.
const MaxEntries = 64

// Open opens the cache in dir with the key in keyFile. It creates missing ones,
// accessible only to the user. If another user owns one, it fails.
func Open(dir, keyFile string) (*Cache, error) {
	if err := createFolder(dir); err != nil {
		return nil, err
	}
	key, err := keyfile.Open(keyFile)
	if err != nil {
		return nil, message.Error("plugin.cache_key", "cause", err)
	}
	return &Cache{dir: dir, key: key}, nil
}

// Dir returns the cache's folder.
func (c *Cache) Dir() string { return c.dir }

// createFolder creates a missing folder and ensures that only the user can write to
// it.
func createFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return message.Error("plugin.not_a_folder", "folder", dir)
	}
	if !keyfile.IsOwn(info) {
		return message.Error("plugin.folder_of_other_user", "folder", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// Folder is the folder of one module's code.
type Folder struct {
	cache *Cache
	name  string
	place string // current path: temporary until it is sealed
	// Sealed means that the folder is unchanged since it was sealed, and its
	// module is valid. Otherwise the folder is empty.
	Sealed bool
	files  int // number of sealed files
	// Removed means that the existing folder did not match its seal.
	Removed bool
}

// Folder opens the folder of a key, which is any text. It returns a verified
// folder, or a new temporary one that is moved into place when it is sealed.
// Concurrent programs each get their own.
func (c *Cache) Folder(key string) (*Folder, error) {
	f := c.folder(key)
	err := f.check()
	if err == nil {
		return f, nil
	}
	if !errors.Is(err, fs.ErrNotExist) || exists(f.place) {
		f.Removed = true
		if err := os.RemoveAll(f.place); err != nil {
			return nil, err
		}
	}
	if f.place, err = os.MkdirTemp(c.dir, "new-*"); err != nil {
		return nil, err
	}
	return f, os.Mkdir(f.Path(), 0o700)
}

// Forget deletes the folder of a key.
func (c *Cache) Forget(key string) error {
	return os.RemoveAll(c.folder(key).place)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// Path returns the folder for the code.
func (f *Folder) Path() string { return filepath.Join(f.place, "code") }

func (f *Folder) home() string { return filepath.Join(f.cache.dir, f.name) }

func (f *Folder) seal() string { return filepath.Join(f.place, "seal") }

// Drop deletes a folder that was not sealed.
func (f *Folder) Drop() {
	if !f.Sealed {
		_ = os.RemoveAll(f.place)
	}
}

var errBroken = errors.New("it is not what was sealed")

// Begin opens the sealed folder of a key and returns a function that verifies it.
// The caller may read the files while check runs, but must not use them unless it
// returns nil. Files added after Begin are not checked. ok is false if there is no
// sealed folder.
func (c *Cache) Begin(key string) (f *Folder, check func() error, ok bool) {
	f = c.folder(key)
	check, err := f.begin()
	return f, check, err == nil
}

// folder names the folder by the cache's key too, so that programs with other keys that share
// the cache have their own: they could only find each other's broken, and delete them.
func (c *Cache) folder(key string) *Folder {
	mac := hmac.New(sha256.New, c.key)
	fmt.Fprintf(mac, "name %q\n", key)
	f := &Folder{cache: c, name: hex.EncodeToString(mac.Sum(nil))}
	f.place = f.home()
	return f
}

// check verifies the folder's seal. If there is no seal, the error is
// fs.ErrNotExist.
func (f *Folder) check() error {
	check, err := f.begin()
	if err != nil {
		return err
	}
	return check()
}

func (f *Folder) begin() (check func() error, err error) {
	if info, err := os.Lstat(f.place); err != nil {
		return nil, err
	} else if !info.IsDir() || !keyfile.IsOwn(info) {
		return nil, errBroken
	}
	want, err := os.ReadFile(f.seal())
	if err != nil {
		return nil, err
	}
	names, err := f.list()
	if err != nil {
		return nil, err
	}
	return func() error {
		got, err := f.digest(names)
		if err != nil {
			return err
		}
		if !hmac.Equal(want, got) {
			return errBroken
		}
		f.Sealed, f.files = true, len(names)
		now := time.Now()
		_ = os.Chtimes(f.seal(), now, now) // marks it as used; a failure is harmless
		return nil
	}, nil
}

// Seal seals the folder's current files, unless they are sealed, and deletes the
// least recently used folders over the limit.
func (f *Folder) Seal() error {
	names, err := f.list()
	if err != nil {
		return err
	}
	if f.Sealed && len(names) == f.files {
		return nil // no code for another CPU was added
	}
	digest, err := f.digest(names)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(f.seal()); err == nil && hmac.Equal(old, digest) {
		f.Sealed = true
		return nil
	}
	tmp := f.seal() + ".tmp"
	if err := os.WriteFile(tmp, digest, 0o600); err != nil {
		return err
	}
	if err := os.Rename(tmp, f.seal()); err != nil {
		return err
	}
	if f.place != f.home() {
		if err := os.Rename(f.place, f.home()); err != nil {
			return errors.Join(err, os.RemoveAll(f.place)) // another program may have been first
		}
		f.place = f.home()
	}
	f.Sealed, f.files = true, len(names)
	return f.cache.prune()
}

// digest returns the keyed digest of the folder: its name, and the name, length
// and content of each file.
func (f *Folder) digest(names []string) ([]byte, error) {
	mac := hmac.New(sha256.New, f.cache.key)
	fmt.Fprintf(mac, "%q\n", f.name)
	for _, name := range names {
		if err := f.addFile(mac, name); err != nil {
			return nil, err
		}
	}
	return mac.Sum(nil), nil
}

func (f *Folder) addFile(mac io.Writer, name string) error {
	file, err := os.Open(filepath.Join(f.Path(), name))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(mac, "%q %d\n", filepath.ToSlash(name), info.Size())
	_, err = io.CopyN(mac, file, info.Size())
	return err
}

// list returns the folder's files, relative to [Folder.Path] and sorted. Links and
// special files are an error.
func (f *Folder) list() (names []string, err error) {
	err = filepath.WalkDir(f.Path(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return errBroken
		}
		name, err := filepath.Rel(f.Path(), path)
		names = append(names, name)
		return err
	})
	return names, err
}

// abandonedAge is the age at which an unsealed folder is considered abandoned.
const abandonedAge = 24 * time.Hour

// prune deletes the least recently used folders beyond [MaxEntries], and abandoned ones.
func (c *Cache) prune() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	type folder struct {
		path   string
		usedAt time.Time
	}
	var sealed []folder
	for _, e := range entries {
		path := filepath.Join(c.dir, e.Name())
		if info, err := os.Lstat(filepath.Join(path, "seal")); err == nil && !strings.HasPrefix(e.Name(), "new-") {
			sealed = append(sealed, folder{path, info.ModTime()})
		} else if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandonedAge {
			_ = os.RemoveAll(path)
		}
	}
	slices.SortFunc(sealed, func(a, b folder) int { return b.usedAt.Compare(a.usedAt) })
	for _, f := range sealed[min(MaxEntries, len(sealed)):] {
		err = errors.Join(err, os.RemoveAll(f.path))
	}
	return err
}
