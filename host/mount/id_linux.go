package mount

import (
	"os"

	"golang.org/x/sys/unix"
)

// Of returns the mount of an open file or folder.
func Of(f *os.File) (ID, error) { return OfFD(int(f.Fd())) }

// OfFD is [Of] for a file descriptor.
func OfFD(fd int) (ID, error) { return read(fd, unix.Statx) }

// statx is [unix.Statx].
type statx func(fd int, path string, flags, mask int, st *unix.Statx_t) error

func read(fd int, call statx) (ID, error) {
	var st unix.Statx_t
	if err := call(fd, "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &st); err != nil {
		return deviceOf(fd) // Linux before 4.11, or a sandbox that refuses the call
	}
	id := ID{device: unix.Mkdev(st.Dev_major, st.Dev_minor)}
	if st.Mask&unix.STATX_MNT_ID != 0 {
		id.mount = st.Mnt_id
	}
	return id, nil
}

// At is [Of] for a path. It follows links.
func At(path string) (ID, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return ID{}, err
	}
	defer unix.Close(fd)
	return OfFD(fd)
}

func deviceOf(fd int) (ID, error) {
	var st unix.Stat_t
	err := unix.Fstat(fd, &st)
	return ID{device: st.Dev}, err
}
