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

// Owner returns the user id of a file's owner.
func Owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}
