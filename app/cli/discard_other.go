//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package cli

import "os"

// discard does nothing where the system has no way to.
func discard(*os.File) {}
