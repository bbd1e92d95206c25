//go:build darwin || freebsd || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// The calls by which a terminal's mode is read and changed.
const (
	termiosGet = unix.TIOCGETA
	termiosSet = unix.TIOCSETA
)

// Discard throws away what was typed into a terminal and not read yet.
func Discard(f *os.File) {
	const fread = 1 // FREAD of sys/file.h: the input alone
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, fread)
}
