//go:build unix

package wasm

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a file belongs to the user who runs the program.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
