//go:build unix

package shell

import (
	"os"
	"syscall"
)

// lockFile takes a file for this process alone, or fails at once. The lock ends
// with the process, however that ends.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
