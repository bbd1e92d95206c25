package resident

import (
	"context"
	"sync"
	"time"
)

// activity counts the calls of a process, and tells when it is idle.
type activity struct {
	mu     sync.Mutex
	calls  int
	last   time.Time // when the process was last in use
	closed bool      // no further call may begin
}

func newActivity() *activity { return &activity{last: time.Now()} }

// begin counts a call. It returns false if the process is about to end.
func (a *activity) begin() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return false
	}
	a.calls++
	return true
}

func (a *activity) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls--
	a.last = time.Now()
}

// close refuses further calls if none is running, and reports whether it did.
func (a *activity) close() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.calls > 0 {
		return false
	}
	a.closed = true
	return true
}

// state returns the number of calls, and how long there was none.
func (a *activity) state() (calls int, idle time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.calls > 0 {
		return a.calls, 0
	}
	return 0, time.Since(a.last)
}

// waitIdle waits until there was no call for limit, and inUse was false throughout. It then
// refuses further calls and returns true. It returns false when ctx is done. inUse is asked
// 15 times per limit.
func (a *activity) waitIdle(ctx context.Context, limit time.Duration, inUse func() bool) bool {
	tick := time.NewTicker(limit / 15)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		used := inUse()
		a.mu.Lock()
		switch {
		case a.calls > 0:
		case used:
			a.last = time.Now()
		case time.Since(a.last) >= limit:
			a.closed = true
			a.mu.Unlock()
			return true
		}
		a.mu.Unlock()
	}
}
