package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// discard throws away what was typed into a terminal and not read yet.
func discard(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) // no terminal: nothing is waiting
}
