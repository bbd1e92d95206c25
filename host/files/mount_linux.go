package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"errand/host/files/inode"
)

// mount identifies a file system and a mount of it. Files can't be moved between
// two mounts.
type mount struct {
	major, minor uint32
	id           uint64 // 0 before Linux 5.8
}

func mountOf(fd int) (mount, error) {
	var st unix.Statx_t
	if err := unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &st); err != nil {
		return mount{}, err
	}
	return newMount(st), nil
}

func newMount(st unix.Statx_t) mount {
	m := mount{major: st.Dev_major, minor: st.Dev_minor}
	if st.Mask&unix.STATX_MNT_ID != 0 {
		m.id = st.Mnt_id
	}
	return m
}

// isMounted reports whether an entry of a folder is of another mount than the folder. info
// and above describe the entry and the folder. A mount may show a folder of the same file system.
func isMounted(folder *os.File, name string, info, above fs.FileInfo) bool {
	own, err := mountOf(int(folder.Fd()))
	if err != nil {
		return !inode.SameSystem(info, above)
	}
	var st unix.Statx_t
	if err := unix.Statx(int(folder.Fd()), name, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, unix.STATX_MNT_ID, &st); err != nil {
		return !inode.SameSystem(info, above)
	}
	return newMount(st) != own
}

func mountAt(p string) (mount, error) {
	fd, err := unix.Open(p, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return mount{}, err
	}
	defer unix.Close(fd)
	return mountOf(fd)
}

// topOf returns the top folder of the mount that contains s. It walks up from the
// open folder, so changes of the path don't matter.
func topOf(s *spot, own mount) (string, error) {
	fd, err := unix.Dup(int(s.dir.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { unix.Close(fd) }()
	top := filepath.Dir(s.real)
	for range strings.Count(s.real, "/") + 1 {
		up, err := unix.Openat(fd, "..", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return "", err
		}
		m, err := mountOf(up)
		if err != nil || m != own || top == "/" {
			unix.Close(up)
			return top, err
		}
		unix.Close(fd)
		fd, top = up, filepath.Dir(top)
	}
	return "", fs.ErrInvalid
}

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
