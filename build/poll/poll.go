// Package poll lets tests wait for other processes and for goroutines outside of a
// synctest bubble. Only tests import it.
package poll

import (
	"testing"
	"time"
)

// Patience is longer than anything takes on a busy machine: what takes longer hangs. It
// also bounds what a test wants to happen at once instead of never.
const Patience = 2 * time.Minute

// WaitUntil calls holds until it returns true. It returns false if that takes longer than
// [Patience].
func WaitUntil(holds func() bool) bool {
	for end := time.Now().Add(Patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// Await calls holds until it returns true. It ends the test if that takes longer than
// [Patience]; what says what the test waited for.
func Await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !WaitUntil(holds) {
		t.Fatalf("not within %v: %s", Patience, what)
	}
}

// SettleDown gives what must not happen half a second to happen. A busy machine may hide a
// fault in this way, but never makes one up.
func SettleDown() { time.Sleep(500 * time.Millisecond) }
