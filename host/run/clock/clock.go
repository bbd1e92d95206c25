// Package clock has the context of a call, whose time stands still while the tool holds it.
package clock

import (
	"context"
	"sync"
	"time"

	"errand/host/tool"
)

// Clock is the context of a call. It ends with the run or when the call's time is
// up. The time does not pass while the tool holds it ([tool.Hold]).
type Clock struct {
	run     context.Context // parent context; also provides the values
	unwatch func() bool     // stops watching the run's context

	mu        sync.Mutex
	done      chan struct{}
	err       error // nil until done is closed
	timer     *time.Timer
	end       time.Time     // when the time is up; while it is held, the end before the hold
	remaining time.Duration // remaining time while it is held
	holdCount int
}

// New starts a clock. The caller must call End.
func New(run context.Context, limit time.Duration) *Clock {
	c := &Clock{run: run, done: make(chan struct{}), end: time.Now().Add(limit)}
	c.timer = time.AfterFunc(limit, func() { c.finish(context.DeadlineExceeded, true) })
	c.unwatch = context.AfterFunc(run, func() { c.finish(run.Err(), false) })
	return c
}

// Deadline implements [context.Context].
func (c *Clock) Deadline() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	end, ok := c.run.Deadline()
	if c.holdCount == 0 && (!ok || c.end.Before(end)) {
		return c.end, true
	}
	return end, ok
}

// Done implements [context.Context].
func (c *Clock) Done() <-chan struct{} { return c.done }

// Err implements [context.Context].
func (c *Clock) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Value implements [context.Context].
func (c *Clock) Value(key any) any { return c.run.Value(key) }

// Stop implements [tool.Clock].
func (c *Clock) Stop() (start func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holdCount++; c.holdCount == 1 {
		c.timer.Stop()
		c.remaining = max(0, time.Until(c.end))
	}
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.holdCount--; c.holdCount == 0 && c.err == nil {
			c.end = time.Now().Add(c.remaining)
			c.timer.Reset(c.remaining)
		}
	})
}

// End ends the call's context permanently.
func (c *Clock) End() {
	c.unwatch()
	c.timer.Stop()
	c.finish(context.Canceled, false)
}

// finish ends the context. A timer that fires just as the tool starts to hold the
// clock is ignored.
func (c *Clock) finish(err error, timer bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && (!timer || c.holdCount == 0) {
		c.err = err
		close(c.done)
	}
}

var _ tool.Clock = (*Clock)(nil)
