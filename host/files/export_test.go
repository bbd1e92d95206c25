//go:build linux

package files

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

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

// RemoveEntry deletes an entry of a folder, as the deletion of the folder does.
func RemoveEntry(ctx context.Context, folder, name string) error {
	dir, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	list, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer list.Close()
	above, err := list.Stat()
	if err != nil {
		return err
	}
	return removeEntry(ctx, dir, list, name, above)
}
