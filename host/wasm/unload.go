package wasm

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// life is from a plugin's loading to its end. Calls run within it.
type life struct {
	ctx context.Context
	end context.CancelCauseFunc

	mu    sync.Mutex
	ended bool
	calls sync.WaitGroup // Add only under mu and not ended
}

func newLife() *life {
	l := &life{}
	l.ctx, l.end = context.WithCancelCause(context.Background()) // the host ends calls by its own word
	return l
}

var errUnloaded = unavailable("plugin_unloaded", "the plugin was removed, disabled or updated").
	WithHint("try again: the next run has the plugins as they are now")

// enter is the context of a call, which ends with the plugin, and keeps the
// plugin until leave is called.
func (l *life) enter(ctx context.Context) (_ context.Context, leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return ctx, nil, errUnloaded
	}
	l.calls.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.ctx, func() { cancel(context.Cause(l.ctx)) })
	return ctx, func() { stop(); cancel(nil); l.calls.Done() }, nil
}

// Close ends the plugin: its calls are broken off and waited for, and what was
// kept for it is released, its compiled module included unless another plugin
// has the same. Calls after it fail. Where ctx ends first the rest is released
// once it can be. It may be called more than once.
func (p *Plugin) Close(ctx context.Context) error {
	p.life.mu.Lock()
	again := p.life.ended
	p.life.ended = true
	p.life.mu.Unlock()
	if again {
		return nil
	}
	p.life.end(errUnloaded)
	released := make(chan struct{})
	go func() { // ends with the calls, whose contexts have ended
		defer close(released)
		p.life.calls.Wait()
		p.host.release(p)
	}()
	select {
	case <-released:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("unload plugin %s: something of it still runs or compiles: %w", p.manifest.ID, ctx.Err())
	}
}

// hold notes that a plugin has the module, until release.
func (h *Host) hold(digest string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holders[digest]++
}

// release gives back what was made for a plugin that has no calls any more.
func (h *Host) release(p *Plugin) {
	h.mu.Lock()
	var kept []*sticky
	h.kept = slices.DeleteFunc(h.kept, func(s *sticky) bool {
		mine := s == p.keep || s == p.keepRead
		if mine {
			kept = append(kept, s)
		}
		return mine
	})
	var last *compilation
	if h.holders[p.digest]--; h.holders[p.digest] <= 0 {
		delete(h.holders, p.digest)
		last = h.modules[p.digest]
		delete(h.modules, p.digest)
	}
	if h.closed { // Close releases the rest, and what it took already is gone
		last = nil
	}
	h.mu.Unlock()
	for _, s := range kept {
		s.close()
	}
	if last == nil {
		return
	}
	<-last.done // compiling can't be broken off, and takes seconds at most
	if last.module != nil {
		_ = last.module.Close(context.WithoutCancel(p.life.ctx))
	}
}
