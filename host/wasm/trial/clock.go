package trial

import (
	"sync"
	"time"
)

// clock is what plugins take for the time while a case runs: where the case says
// when it is, it is then, and stays then but for what the plugin sleeps.
type clock struct {
	mu     sync.Mutex
	at     time.Time // zero: this machine's time
	passed time.Duration
}

var begin = time.Now()

// reading is how much later each look at the clock that only goes forward is:
// whoever waits for it in a loop comes to an end.
const reading = time.Microsecond

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.passed = at, 0
}

// Now implements [wasm.Clock].
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return time.Now()
	}
	return c.at
}

// Monotonic implements [wasm.Clock].
func (c *clock) Monotonic() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return int64(time.Since(begin))
	}
	c.passed += reading
	return int64(c.passed)
}

// Sleep implements [wasm.Clock]. Time that is only said to pass takes none.
func (c *clock) Sleep(d time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return d
	}
	c.at, c.passed = c.at.Add(d), c.passed+d
	return 0
}
