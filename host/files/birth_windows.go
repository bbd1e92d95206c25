package files

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// born is when what info was read from was made, in nanoseconds since 1970.
func born(_ *os.Root, _ string, info fs.FileInfo) string {
	if d, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return strconv.FormatInt(d.CreationTime.Nanoseconds(), 10)
	}
	return ""
}
