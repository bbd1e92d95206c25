//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !windows

package cli

import "os"

// hide does nothing where the system has no way to.
func hide(*os.File) (show func(), ok bool) { return nil, false }
