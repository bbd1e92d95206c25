//go:build !linux && !darwin && !freebsd && !windows

package sqlite

// freeSpace is unknown on this platform.
func freeSpace(string) (room uint64, known bool) { return 0, false }
