//go:build unix

package filestate

import (
	"io/fs"
	"strconv"
	"syscall"
)

// deviceAndNumber returns a file's device and inode number.
func deviceAndNumber(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(st.Dev), 10) + ":" + strconv.FormatUint(uint64(st.Ino), 10)
	}
	return ""
}
