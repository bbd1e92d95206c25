package wasm

import (
	"context"
	"fmt"
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
		p.unit.close()
	}()
	select {
	case <-released:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("unload plugin %s: something of it still runs or compiles: %w", p.manifest.ID, ctx.Err())
	}
}
