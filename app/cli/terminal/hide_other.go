//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !windows

package terminal

import "os"

// Hide does nothing where the system has no way to.
func Hide(*os.File) (show func(), ok bool) { return nil, false }
