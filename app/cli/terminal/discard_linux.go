package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// The calls by which a terminal's mode is read and changed.
const (
	termiosGet = unix.TCGETS
	termiosSet = unix.TCSETS
)

// Discard throws away what was typed into a terminal and not read yet.
func Discard(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) // no terminal: nothing is waiting
}
