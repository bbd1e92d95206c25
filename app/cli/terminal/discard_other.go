//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package terminal

import "os"

// Discard does nothing where the system has no way to.
func Discard(*os.File) {}
