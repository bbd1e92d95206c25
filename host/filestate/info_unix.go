//go:build unix

package filestate

import (
	"io/fs"
	"strconv"
	"syscall"
)

// nonblock keeps an opening from waiting, as that of a pipe would.
const nonblock = syscall.O_NONBLOCK

// inode returns a file's device and inode number.
func inode(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(st.Dev), 10) + ":" + strconv.FormatUint(uint64(st.Ino), 10)
	}
	return ""
}
