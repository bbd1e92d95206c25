package inode

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// BirthTime returns the creation time of a file in nanoseconds since 1970. It
// identifies a file even if its inode number was reused.
func BirthTime(_ *os.Root, _ string, info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatInt(st.Birthtimespec.Nano(), 10)
	}
	return ""
}
