//go:build unix

package files

import (
	"io/fs"
	"strconv"
	"syscall"
)

// nonblock keeps an opening from waiting, as that of a pipe would.
const nonblock = syscall.O_NONBLOCK

// inode is a file's number in its file system.
func inode(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(st.Ino), 10)
	}
	return ""
}

// device is the number of the file system, 0 where it is not known.
func device(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev)
	}
	return 0
}

// owner is the id of the user that something belongs to.
func owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// sameSystem reports whether two things are on one file system.
func sameSystem(a, b fs.FileInfo) bool { return device(a) == device(b) }
