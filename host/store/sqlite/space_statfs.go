//go:build linux || darwin || freebsd

package sqlite

import "golang.org/x/sys/unix"

// freeSpace is the room, in bytes, that the disk of dir has for this user.
func freeSpace(dir string) (room uint64, known bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return uint64(max(0, int64(st.Bavail))) * uint64(st.Bsize), true
}
