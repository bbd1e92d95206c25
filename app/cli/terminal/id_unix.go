//go:build linux || darwin || freebsd || netbsd || openbsd

package terminal

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// ID names the terminal of the first of the files that is one, together with the session
// that runs in it: the number of a closed terminal is used again. It has letters, digits
// and hyphens; it is empty if none of the files is a terminal.
func ID(files ...*os.File) string {
	for _, f := range files {
		if !IsTerminal(f) {
			continue
		}
		var info unix.Stat_t
		session, err := unix.Getsid(0)
		if err != nil || unix.Fstat(int(f.Fd()), &info) != nil {
			return ""
		}
		return fmt.Sprintf("%x-%d", uint64(info.Rdev), session)
	}
	return ""
}
