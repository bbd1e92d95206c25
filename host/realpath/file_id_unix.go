//go:build unix

package realpath

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// FileID returns the device and inode number of a regular file that has several names, and
// "" for any other path. It does not follow a link. It is safe for concurrent use.
func FileID(path string) string {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return ""
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Nlink < 2 {
		return ""
	}
	return strconv.FormatUint(uint64(st.Dev), 10) + ":" + strconv.FormatUint(uint64(st.Ino), 10)
}
