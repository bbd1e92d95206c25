//go:build linux

package files

import (
	"os"
	"syscall"
	"testing"
)

// Inode is a file's number, in decimal.
func Inode(t *testing.T, name string) string {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return inode(info)
}

// Mkfifo makes a pipe.
func Mkfifo(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
}
