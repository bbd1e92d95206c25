package run

import (
	"context"
	"maps"
	"slices"
	"sync"

	"errand/host/tool"
	"errand/planner/message"
)

// callTracker tracks running calls, including those past their deadline.
type callTracker struct {
	mu      sync.Mutex
	closed  bool
	running map[*runningCall]struct{}
	idle    chan struct{} // closed when running is empty; nil if Close is not waiting
}

// runningCall is a running call: its tool and the key of its effect.
type runningCall struct{ name, key string }

// enter adds a call; leave removes it. open is false after close.
func (c *callTracker) enter(of runningCall) (leave func(), open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false
	}
	if c.running == nil {
		c.running = map[*runningCall]struct{}{}
	}
	key := &of
	c.running[key] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, key)
		c.signalIdle()
	}, true
}

// has reports whether a call with this effect key still runs. A call past its
// deadline may still have its effect.
func (c *callTracker) has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for of := range c.running {
		if of.key == key {
			return true
		}
	}
	return false
}

func closedError(name string) *tool.Error {
	return tool.NewError(tool.ToolUnavailable, "closed", message.New("run.closed", "tool", name))
}

func (c *callTracker) signalIdle() {
	if c.idle != nil && len(c.running) == 0 {
		close(c.idle)
		c.idle = nil
	}
}

func (c *callTracker) close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	if len(c.running) == 0 {
		c.mu.Unlock()
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.running) == 0 {
		return nil
	}
	var names []string
	for k := range maps.Keys(c.running) {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return tool.NewError(tool.ToolTimeout, "still_running", message.New("run.still_running", "tools", slices.Compact(names)))
}
