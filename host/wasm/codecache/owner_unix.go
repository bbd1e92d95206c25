//go:build unix

package codecache

import (
	"io/fs"
	"os"
	"syscall"
)

// private says that permissions tell who can read a file.
const private = true

// ours reports whether a file belongs to the user who runs the program.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
