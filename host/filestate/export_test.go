package filestate

import "testing"

// LimitEntries sets the number of entries of a folder that are looked at, until the test ends.
func LimitEntries(t *testing.T, n int) {
	t.Helper()
	was := maxEntries
	maxEntries = n
	t.Cleanup(func() { maxEntries = was })
}
