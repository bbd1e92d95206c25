//go:build linux || darwin || freebsd

package sqlite

import "golang.org/x/sys/unix"

// freeSpace returns the free space in bytes on the disk of dir for this user.
func freeSpace(dir string) (room uint64, known bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return uint64(max(0, int64(st.Bavail))) * uint64(st.Bsize), true
}
