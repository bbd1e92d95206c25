// Package codecache keeps compiled modules between runs of the program.
//
// Machine code is loaded from the cache and executed, so whoever can write to
// it could run anything. Each folder of the cache is therefore sealed: a keyed
// digest (HMAC-SHA-256) over the names and contents of its files, whose key
// is elsewhere and readable by the user alone. Nothing from a folder runs before
// it was checked against its seal. A folder that fails is removed, and its module
// is compiled again.
//
// The files are checked while they are read. The seal guards against what changed
// while the program did not run (another program's mishap, a backup, a plugin
// with too wide a folder), not against one that can write as the user at that very
// moment: that one could as well replace the program.
package codecache

import (
	"crypto/hmac"
	"crypto/rand"
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
)

// Cache is a folder of sealed folders. It is good for several goroutines, which
// must not work on the same folder at a time.
type Cache struct {
	dir string
	key []byte
}

// Kept is how many folders a cache keeps: those that were used last.
const Kept = 64

const keySize = 32

// Open opens the cache in dir, sealed with the key in keyFile. Both are made
// where they are missing, for the user alone; what somebody else owns is an
// error.
func Open(dir, keyFile string) (*Cache, error) {
	if err := ownFolder(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(keyFile), 0o700); err != nil {
		return nil, err
	}
	key, err := readKey(keyFile)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeKey(keyFile)
	}
	if err != nil {
		return nil, fmt.Errorf("the key of the cache: %w", err)
	}
	return &Cache{dir: dir, key: key}, nil
}

// Dir is the cache's folder.
func (c *Cache) Dir() string { return c.dir }

// ownFolder makes a folder where it is missing and sees to it that nobody but
// the user can write to it.
func ownFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	if !ours(info) {
		return fmt.Errorf("%s belongs to another user", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

func readKey(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !ours(info) || private && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s must be a file of the user that nobody else can read", name)
	}
	key, err := os.ReadFile(name)
	if err == nil && len(key) != keySize {
		err = fmt.Errorf("%s is not %d bytes long; remove it to have a new one made", name, keySize)
	}
	return key, err
}

// makeKey makes a key in one step, so that two programs that start together
// agree on one.
func makeKey(name string) ([]byte, error) {
	key := make([]byte, keySize)
	rand.Read(key)
	f, err := os.CreateTemp(filepath.Dir(name), ".key-*") // 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(key)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		// Some file systems have no links; there the last one wins.
		if err := os.Rename(f.Name(), name); err != nil {
			return nil, err
		}
	}
	return readKey(name)
}

// Folder is where one module's code lies.
type Folder struct {
	cache *Cache
	name  string
	place string // where it is now: until it is sealed, a place of its own
	// Sealed says that the folder holds what was sealed, by a program that had
	// looked at the module. Else it is empty.
	Sealed bool
	files  int // that were sealed
	// Removed says that what was there was not what had been sealed.
	Removed bool
}

// Folder opens the folder of a key, which is any text: what is in it was checked,
// or it is a new one, which takes its place once it is sealed. Programs that
// work on the same folder don't see each other's.
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

// Forget removes the folder of a key, whatever is in it.
func (c *Cache) Forget(key string) error {
	return os.RemoveAll(c.folder(key).place)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// Path is the folder for the code.
func (f *Folder) Path() string { return filepath.Join(f.place, "code") }

func (f *Folder) home() string { return filepath.Join(f.cache.dir, f.name) }

func (f *Folder) seal() string { return filepath.Join(f.place, "seal") }

// Drop removes a folder that was not sealed.
func (f *Folder) Drop() {
	if !f.Sealed {
		_ = os.RemoveAll(f.place)
	}
}

var errBroken = errors.New("it is not what was sealed")

// Begin finds the sealed folder of a key, and returns a function that checks it
// against its seal: a caller reads the files while it runs, and uses what it read
// only if check returns nil. Files that are added after Begin are not checked. ok
// is false where nothing was sealed.
func (c *Cache) Begin(key string) (f *Folder, check func() error, ok bool) {
	f = c.folder(key)
	check, err := f.begin()
	return f, check, err == nil
}

func (c *Cache) folder(key string) *Folder {
	sum := sha256.Sum256([]byte(key))
	f := &Folder{cache: c, name: hex.EncodeToString(sum[:])}
	f.place = f.home()
	return f
}

// check checks the folder against its seal. fs.ErrNotExist is for one that has
// none.
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
	} else if !info.IsDir() || !ours(info) {
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
		_ = os.Chtimes(f.seal(), now, now) // it was used; a cache may forget that
		return nil
	}, nil
}

// Seal seals what is in the folder now, where it isn't already, and forgets
// what was used least where the cache holds too much.
func (f *Folder) Seal() error {
	names, err := f.list()
	if err != nil {
		return err
	}
	if f.Sealed && len(names) == f.files {
		return nil // another CPU's code would have been added
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
			return errors.Join(err, os.RemoveAll(f.place)) // or another program was first
		}
		f.place = f.home()
	}
	f.Sealed, f.files = true, len(names)
	return f.cache.prune()
}

// digest is the keyed digest of the folder: its name, and the name, length and
// content of each file.
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

// list returns the folder's files, relative to [Folder.Path] and sorted. What is
// neither file nor folder can't be sealed.
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

// abandoned is how old a folder is that a program began and never sealed.
const abandoned = 24 * time.Hour

// prune removes the folders that were used least, beyond [Kept], and those that
// were given up.
func (c *Cache) prune() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	type folder struct {
		path string
		used time.Time
	}
	var sealed []folder
	for _, e := range entries {
		path := filepath.Join(c.dir, e.Name())
		if info, err := os.Lstat(filepath.Join(path, "seal")); err == nil && !strings.HasPrefix(e.Name(), "new-") {
			sealed = append(sealed, folder{path, info.ModTime()})
		} else if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.RemoveAll(path)
		}
	}
	slices.SortFunc(sealed, func(a, b folder) int { return b.used.Compare(a.used) })
	for _, f := range sealed[min(Kept, len(sealed)):] {
		err = errors.Join(err, os.RemoveAll(f.path))
	}
	return err
}
