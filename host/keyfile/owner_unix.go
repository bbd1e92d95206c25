//go:build unix

package keyfile

import (
	"io/fs"
	"os"
	"syscall"
)

// private reports whether file permissions control who can read a file.
const private = true

// isOwn reports whether a file belongs to the current user.
func isOwn(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
