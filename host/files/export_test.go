//go:build linux

package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"errand/host/tool"

	"errand/build/must"
	"errand/host/files/inode"
)

// BoundForecasts sets what forecasts count at most, and for how long, until the
// test ends.
func BoundForecasts(t *testing.T, entries int, within time.Duration) {
	t.Helper()
	wasEntries, wasWithin := maxCounted, maxCounting
	maxCounted, maxCounting = entries, within
	t.Cleanup(func() { maxCounted, maxCounting = wasEntries, wasWithin })
}

// Inode is a file's number, in decimal.
func Inode(t *testing.T, name string) string {
	t.Helper()
	info, err := os.Lstat(name)
	must.Succeed(t, err)
	return inode.Number(info)
}

// Mkfifo makes a pipe.
func Mkfifo(t *testing.T, name string) {
	t.Helper()
	must.Succeed(t, syscall.Mkfifo(name, 0o600))
}

// LimitCopies lowers the limits of copies for a test.
func LimitCopies(t interface{ Cleanup(func()) }, entries int, bytes int64) {
	oldEntries, oldBytes := maxCopiedEntries, maxCopiedBytes
	maxCopiedEntries, maxCopiedBytes = entries, bytes
	t.Cleanup(func() { maxCopiedEntries, maxCopiedBytes = oldEntries, oldBytes })
}

// RemoveAll deletes a folder in dir without looking for mounts before.
func RemoveAll(dir, name string) error {
	s, info, err := openSpot(dir, name)
	if err != nil {
		return err
	}
	defer s.close()
	return removeFolder(context.Background(), s, info)
}

// CarryCopy copies a folder in dir as a move to another file system does, without looking for
// mounts before.
func CarryCopy(ctx context.Context, dir, name, newName string) error {
	from, info, err := openSpot(dir, name)
	if err != nil {
		return err
	}
	defer from.close()
	to := &spot{path: filepath.Join(dir, newName), name: newName, parent: from.parent, dir: from.dir}
	t := transfer{pair: &pair{from: from, to: to, info: info}, certain: true, part: tool.PartName("")}
	return t.run(ctx)
}

func openSpot(dir, name string) (*spot, fs.FileInfo, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	f, err := root.Open(".")
	if err != nil {
		return nil, nil, err
	}
	info, err := root.Lstat(name)
	return &spot{path: filepath.Join(dir, name), real: filepath.Join(dir, name), name: name, parent: root, dir: f}, info, err
}

// IsMounted reports whether an error says that something is mounted.
func IsMounted(err error) bool { return errors.Is(err, errMounted) }
