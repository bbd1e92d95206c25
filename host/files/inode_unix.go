//go:build unix

package files

import (
	"io/fs"
	"strconv"
	"syscall"
)

// inode returns a file's inode number.
func inode(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(st.Ino), 10)
	}
	return ""
}

// device returns the number of the file system, or 0 if it is unknown.
func device(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev)
	}
	return 0
}

// owner returns the user id of a file's owner.
func owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// sameSystem reports whether two files are on the same file system.
func sameSystem(a, b fs.FileInfo) bool { return device(a) == device(b) }
