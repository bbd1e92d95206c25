package mount

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// FindTop returns the top folder of the mount that an open folder with a path without links is
// on. It walks up from the open folder, so changes of the path don't matter.
func FindTop(dir *os.File, path string) (string, error) {
	own, err := Of(dir)
	if err != nil {
		return "", err
	}
	fd, err := unix.Dup(int(dir.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { unix.Close(fd) }()
	top := path
	for range strings.Count(path, "/") + 2 {
		up, err := unix.Openat(fd, "..", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return "", err
		}
		id, err := OfFD(up)
		if err != nil || id != own || top == "/" {
			unix.Close(up)
			return top, err
		}
		unix.Close(fd)
		fd, top = up, filepath.Dir(top)
	}
	return "", fs.ErrInvalid
}
