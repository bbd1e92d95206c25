//go:build unix

package rootfs

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// hasOtherNames reports whether a file has several names. The others may be outside the
// folder.
func hasOtherNames(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && !info.IsDir() && stat.Nlink > 1
}

// inode returns the number of an entry of an open folder; 0 if it is gone. It follows no
// link.
func inode(folder *os.File, name string) (number uint64) {
	conn, err := folder.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Control(func(fd uintptr) {
		var stat unix.Stat_t
		if unix.Fstatat(int(fd), name, &stat, unix.AT_SYMLINK_NOFOLLOW) == nil {
			number = stat.Ino
		}
	})
	return number
}

// rename is [os.Root.Rename] between two folders. It follows no link.
func rename(from *os.Root, name string, to *os.Root, newName string) error {
	old, err := from.Open(".")
	if err != nil {
		return err
	}
	defer old.Close()
	dir, err := to.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Renameat(int(old.Fd()), name, int(dir.Fd()), newName)
}

// setTimes sets times in nanoseconds. It follows no link.
func setTimes(root *os.Root, name string, atim, mtim int64) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	times := []unix.Timespec{unix.NsecToTimespec(atim), unix.NsecToTimespec(mtim)}
	return unix.UtimesNanoAt(int(dir.Fd()), name, times, unix.AT_SYMLINK_NOFOLLOW)
}
