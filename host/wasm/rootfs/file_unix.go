//go:build unix

package rootfs

import (
	"io/fs"
	"syscall"
)

const nonblock = syscall.O_NONBLOCK

// shared reports whether a file has several names. The others may be outside the
// folder.
func shared(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && !info.IsDir() && stat.Nlink > 1
}
