//go:build !linux && !darwin && !freebsd && !windows

package sqlite

// freeSpace can't tell.
func freeSpace(string) (room uint64, known bool) { return 0, false }
