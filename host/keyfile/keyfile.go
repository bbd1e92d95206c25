// Package keyfile keeps the random keys of an installation, each in a file that only the
// user can read.
package keyfile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"errand/planner/message"
)

// Size is the length of a key in bytes.
const Size = 32

// Open returns the key in the given file. It creates a missing file, with a new key, and
// its folder, accessible only to the user. Programs that start together get the same key.
// It fails if the file belongs to another user, if other users can read it, or if its
// length is not [Size].
func Open(name string) ([]byte, error) {
	key, err := read(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	return create(name)
}

// IsOwn reports whether a file belongs to the current user.
func IsOwn(info fs.FileInfo) bool { return isOwn(info) }

func read(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !isOwn(info) || private && info.Mode().Perm()&0o077 != 0 {
		return nil, message.Error("keyfile.readable_by_others", "name", name)
	}
	key, err := os.ReadFile(name)
	if err == nil && len(key) != Size {
		return nil, message.Error("keyfile.other_length", "name", name, "size", Size)
	}
	return key, err
}

// create writes a key atomically.
func create(name string) ([]byte, error) {
	key := make([]byte, Size)
	_, _ = rand.Read(key)                                 // it never fails
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
		// Without hard links, the last program's key wins.
		if err := os.Rename(f.Name(), name); err != nil {
			return nil, err
		}
	}
	return read(name)
}
