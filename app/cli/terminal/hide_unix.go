//go:build linux || darwin || freebsd || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// Hide makes a terminal show nothing of what is typed but the end of the line,
// until show is called.
func Hide(f *os.File) (show func(), ok bool) {
	was, err := unix.IoctlGetTermios(int(f.Fd()), termiosGet)
	if err != nil {
		return nil, false
	}
	now := *was
	now.Lflag &^= unix.ECHO
	now.Lflag |= unix.ECHONL | unix.ICANON | unix.ISIG
	if unix.IoctlSetTermios(int(f.Fd()), termiosSet, &now) != nil {
		return nil, false
	}
	return func() { _ = unix.IoctlSetTermios(int(f.Fd()), termiosSet, was) }, true
}
