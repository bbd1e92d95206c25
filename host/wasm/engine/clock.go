package engine

import "time"

// Clock is what guests take for the time. It is good for several goroutines.
type Clock interface {
	Now() time.Time   // of day
	Monotonic() int64 // nanoseconds since any one time; never less than before
	// Sleep is told that a guest sleeps for d, after which both have gone on by
	// that, and answers how long it is to be kept waiting.
	Sleep(d time.Duration) time.Duration
}
