//go:build darwin || freebsd || netbsd || openbsd

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// discard throws away what was typed into a terminal and not read yet.
func discard(f *os.File) {
	const fread = 1 // FREAD of sys/file.h: the input alone
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, fread)
}
