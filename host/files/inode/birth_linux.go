package inode

import (
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// BirthTime returns the creation time of a file in nanoseconds since 1970. It
// identifies a file even if its inode number was reused. It is empty if the file
// system does not store it (statx(2), STATX_BTIME).
func BirthTime(dir *os.Root, name string, _ fs.FileInfo) string {
	f, err := dir.Open(".")
	if err != nil {
		return ""
	}
	defer f.Close()
	c, err := f.SyscallConn()
	if err != nil {
		return ""
	}
	var st unix.Statx_t
	if e := c.Control(func(fd uintptr) {
		err = unix.Statx(int(fd), name, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &st)
	}); e != nil || err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return ""
	}
	return strconv.FormatInt(st.Btime.Sec*1e9+int64(st.Btime.Nsec), 10)
}
