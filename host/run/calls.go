package run

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"errand/host/tool"
)

// calls knows which tools are running, so that somebody owns those that were
// left behind.
type calls struct {
	mu      sync.Mutex
	closed  bool
	running map[*string]struct{}
	idle    chan struct{} // closed when running is empty; nil while nobody waits
}

// enter counts a call in; leave counts it out. It is not open after close.
func (c *calls) enter(name string) (leave func(), open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false
	}
	if c.running == nil {
		c.running = map[*string]struct{}{}
	}
	key := &name
	c.running[key] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, key)
		c.wake()
	}, true
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
		names = append(names, *k)
	}
	slices.Sort(names)
	return tool.Errorf(tool.ToolTimeout, "still_running", "close: still running after their deadline: %s",
		strings.Join(slices.Compact(names), ", "))
}
