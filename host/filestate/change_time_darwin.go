package filestate

import (
	"io/fs"
	"strconv"
	"syscall"
)

// ChangeTime returns when a file's inode last changed, in nanoseconds since 1970.
func ChangeTime(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatInt(st.Ctimespec.Nano(), 10)
	}
	return ""
}
