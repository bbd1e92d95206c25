package files

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// born is when what info was read from was made, in nanoseconds since 1970: its
// number may be another's by now, its time of birth is not.
func born(_ *os.Root, _ string, info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatInt(st.Birthtimespec.Nano(), 10)
	}
	return ""
}
