package trial

import (
	"sync"
	"time"
)

// clock is the plugins' clock while a case runs. If the case sets a time, the
// clock stays at it and advances only when the plugin sleeps.
type clock struct {
	mu     sync.Mutex
	fixed  time.Time // zero means this machine's time
	passed time.Duration
}

var begin = time.Now()

// reading is how much each reading of the monotonic clock advances it, so that a
// loop that waits for a time ends.
const reading = time.Microsecond

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fixed, c.passed = at, 0
}

// Now implements [wasm.Clock].
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fixed.IsZero() {
		return time.Now()
	}
	return c.fixed
}

// Monotonic implements [wasm.Clock].
func (c *clock) Monotonic() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fixed.IsZero() {
		return int64(time.Since(begin))
	}
	c.passed += reading
	return int64(c.passed)
}

// Sleep implements [wasm.Clock]. With a set time it does not wait.
func (c *clock) Sleep(d time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fixed.IsZero() {
		return d
	}
	c.fixed, c.passed = c.fixed.Add(d), c.passed+d
	return 0
}
