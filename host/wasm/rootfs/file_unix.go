//go:build unix

package rootfs

import (
	"io/fs"
	"syscall"
)

const nonblock = syscall.O_NONBLOCK

// shared reports a file that has more names than the one it was found by. Nobody
// can say whether the others lie inside the folder.
func shared(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && !info.IsDir() && stat.Nlink > 1
}
