package transfer

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mark notes something in a file's extended attributes. Not every file system
// keeps them.
func mark(f *os.File, name, value string) { _ = unix.Fsetxattr(int(f.Fd()), name, []byte(value), 0) }

// ReadMark is what mark noted; "": nothing. kept says whether the file system keeps
// such notes at all.
func ReadMark(f *os.File, name string) (value string, kept bool) {
	b := make([]byte, 8192) // the longest URL; we write no longer value
	n, err := unix.Fgetxattr(int(f.Fd()), name, b)
	if err != nil {
		return "", errors.Is(err, unix.ENODATA)
	}
	return string(b[:n]), true
}
