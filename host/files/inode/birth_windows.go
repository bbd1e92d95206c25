package inode

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// BirthTime returns the creation time of a file in nanoseconds since 1970.
func BirthTime(_ *os.Root, _ string, info fs.FileInfo) string {
	if d, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return strconv.FormatInt(d.CreationTime.Nanoseconds(), 10)
	}
	return ""
}
