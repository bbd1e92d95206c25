package files

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// move renames without following links or replacing a file. If the new name
// exists, the error is [fs.ErrExist].
func move(from *os.File, name string, to *os.File, newName string) error {
	err := unix.Renameat2(int(from.Fd()), name, int(to.Fd()), newName, unix.RENAME_NOREPLACE)
	if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	// Some file systems, such as NFS, can't rename without replacing. A hard link
	// never replaces a file, and renaming a folder replaces at most an empty
	// folder.
	var st unix.Stat_t
	if err := unix.Fstatat(int(to.Fd()), newName, &st, unix.AT_SYMLINK_NOFOLLOW); err == nil {
		return fs.ErrExist
	}
	if err := unix.Fstatat(int(from.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		return unix.Renameat(int(from.Fd()), name, int(to.Fd()), newName)
	}
	if err := unix.Linkat(int(from.Fd()), name, int(to.Fd()), newName, 0); err != nil {
		return err
	}
	return unix.Unlinkat(int(from.Fd()), name, 0)
}
