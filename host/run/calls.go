package run

import (
	"context"
	"maps"
	"slices"
	"sync"

	"errand/host/tool"
	"errand/planner/message"
)

// calls tracks running calls, including those past their deadline.
type calls struct {
	mu      sync.Mutex
	closed  bool
	running map[*called]struct{}
	idle    chan struct{} // closed when running is empty; nil if Close is not waiting
}

// called is a running call: its tool and the key of its effect.
type called struct{ name, key string }

// enter adds a call; leave removes it. open is false after close.
func (c *calls) enter(of called) (leave func(), open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false
	}
	if c.running == nil {
		c.running = map[*called]struct{}{}
	}
	key := &of
	c.running[key] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, key)
		c.wake()
	}, true
}

// has reports whether a call with this effect key still runs. A call past its
// deadline may still have its effect.
func (c *calls) has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for of := range c.running {
		if of.key == key {
			return true
		}
	}
	return false
}

func closed(name string) *tool.Error {
	return tool.NewError(tool.ToolUnavailable, "closed", message.New("run.closed", "tool", name))
}

func (c *calls) wake() {
	if c.idle != nil && len(c.running) == 0 {
		close(c.idle)
		c.idle = nil
	}
}

func (c *calls) close(ctx context.Context) error {
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
