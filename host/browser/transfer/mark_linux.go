package transfer

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mark sets an extended attribute of a file. Not every file system supports them.
func mark(f *os.File, name, value string) { _ = unix.Fsetxattr(int(f.Fd()), name, []byte(value), 0) }

// ReadMark returns the value that mark stored, or "". kept reports whether the file system
// supports extended attributes.
func ReadMark(f *os.File, name string) (value string, found bool) {
	b := make([]byte, 8192) // the longest URL; values are never longer
	n, err := unix.Fgetxattr(int(f.Fd()), name, b)
	if err != nil {
		return "", errors.Is(err, unix.ENODATA)
	}
	return string(b[:n]), true
}
