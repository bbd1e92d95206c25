//go:build unix

package inode

import (
	"io/fs"
	"strconv"
	"syscall"
)

// Number returns a file's inode number.
func Number(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(st.Ino), 10)
	}
	return ""
}

// Device returns the number of the file system, or 0 if it is unknown.
func Device(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev)
	}
	return 0
}

// Owner returns the user id of a file's owner.
func Owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// SameSystem reports whether two files are on the same file system.
func SameSystem(a, b fs.FileInfo) bool { return Device(a) == Device(b) }
