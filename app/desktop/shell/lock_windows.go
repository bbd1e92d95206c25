package shell

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes a file for this process alone, or fails at once. The lock ends
// with the process, however that ends.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_FAIL_IMMEDIATELY|windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
