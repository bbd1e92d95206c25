package engine

import "time"

// Clock is the clock for guests. It must be safe for concurrent use.
type Clock interface {
	Now() time.Time   // time of day
	Monotonic() int64 // nanoseconds since any fixed time; never decreases
	// Sleep advances both clocks by d, because a guest sleeps. It returns how long
	// the guest must really wait.
	Sleep(d time.Duration) time.Duration
}
