package wasm

import (
	"context"
	"errors"
	"time"

	"errand/host/tool"
	"errand/host/wasm/codecache"
	"errand/host/wasm/engine"
	"errand/host/wasm/install"
	"errand/planner/message"
)

// MaxModule is the maximum size of a module, in bytes.
const MaxModule = install.MaxModule

// maxUnusedPrograms is how many unused compiled modules stay in memory, so that an
// occasional call does not compile its module each time.
const maxUnusedPrograms = 4

// program is a compiled module, or one that is being compiled. Read program and
// err only after done is closed.
type program struct {
	digest string
	done   chan struct{}
	*engine.Program
	err error // *tool.Error

	cancel  context.CancelFunc // ends the compilation
	uses    int                // guarded by Host.mu, as is lastUse
	lastUse time.Time
}

// acquire returns the module with the digest and compiles the code from load if
// needed, with [engine.Options].Effort. The caller must release it. Compiling continues
// after the deadline of ctx, so that a later call needs less time. If ctx is canceled
// and no other caller waits, compiling ends.
func (h *Host) acquire(ctx context.Context, digest string, effort int, load loader) (*program, error) {
	h.mu.Lock()
	p, ok := h.programs[digest]
	if !ok {
		if h.closed {
			h.mu.Unlock()
			return nil, engine.ErrClosed
		}
		p = &program{digest: digest, done: make(chan struct{})}
		h.programs[digest] = p
		h.compiles.Add(1)
		p.uses++ // the compilation's own use
		var compiling context.Context
		compiling, p.cancel = context.WithCancel(h.ctx)
		go func() {
			defer h.compiles.Done()
			p.compile(compiling, ctx, h, effort, load)
			h.release(p)
		}()
	}
	p.uses++
	h.mu.Unlock()
	select {
	case <-p.done:
		if p.err != nil {
			h.release(p)
			return nil, p.err
		}
		return p, nil
	case <-ctx.Done():
		h.abandon(p, errors.Is(ctx.Err(), context.Canceled))
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, tool.NewError(tool.ExecutionError, "interrupted", message.New("plugin.compiling_interrupted"))
		}
		return nil, tool.NewError(tool.ToolTimeout, "still_compiling", message.New("plugin.still_compiling", "cause", ctx.Err())).
			WithHint(message.New("plugin.try_again_compiled_once"))
	}
}

// loader returns a module's code and its inspection.
type loader func() ([]byte, Inspection, error)

// abandon releases a program whose compilation the caller no longer waits for. It ends
// the compilation if the caller was the last one and canceled its call.
func (h *Host) abandon(p *program, canceled bool) {
	h.mu.Lock()
	if canceled && p.uses == 2 { // the caller's and the compilation's own
		p.cancel()
		h.forget(p)
	}
	h.mu.Unlock()
	h.release(p)
}

// forget makes a later call compile the module again. The caller holds h.mu.
func (h *Host) forget(p *program) {
	if h.programs[p.digest] == p {
		delete(h.programs, p.digest)
	}
}

// compile compiles the module. ctx ends it; call only identifies the call for the log.
func (p *program) compile(ctx, call context.Context, h *Host, effort int, load loader) {
	defer close(p.done)
	defer p.cancel()
	code, i, err := load()
	if err == nil {
		p.Program, err = engine.Compile(ctx, code, engine.Options{
			Inspection: &i,
			Cache:      h.codeCache(call), Warn: func(m message.Message) { h.log(call, "", "warn", m) },
			Functions: mcpFunctions, Effort: effort,
		})
	}
	if err == nil && ctx.Err() != nil { // no one may use it any more
		p.Program.Close()
		p.Program, err = nil, ctx.Err()
	}
	switch {
	case err == nil:
		return
	case h.ctx.Err() != nil:
		p.err = engine.ErrClosed
	case ctx.Err() != nil:
		p.err = tool.NewError(tool.ExecutionError, "interrupted", message.New("plugin.compiling_interrupted"))
	default:
		p.err = tool.AsError(err)
	}
	h.mu.Lock()
	h.forget(p) // try again, in case the file was fixed
	h.mu.Unlock()
}

// release ends a use. The last few unused modules stay compiled.
func (h *Host) release(p *program) {
	h.mu.Lock()
	p.uses--
	p.lastUse = time.Now()
	var oldest *program
	unused := 0
	for _, other := range h.programs {
		if other.uses > 0 {
			continue
		}
		unused++
		if oldest == nil || other.lastUse.Before(oldest.lastUse) {
			oldest = other
		}
	}
	if unused <= maxUnusedPrograms {
		oldest = nil
	} else {
		delete(h.programs, oldest.digest)
	}
	h.mu.Unlock()
	if oldest != nil {
		oldest.Close()
	}
}

// Forget removes a compiled module from the cache folder. Loaded modules stay.
func (h *Host) Forget(code []byte) error {
	cache := h.codeCache(context.Background())
	if cache == nil {
		return nil
	}
	return engine.Forget(code, cache)
}

// codeCache opens the cache folder once. It returns nil if there is no trustworthy
// folder. That is only logged, because the program works without a cache.
func (h *Host) codeCache(ctx context.Context) *codecache.Cache {
	h.cacheOnce.Do(func() {
		if h.o.CacheDir == "" || h.o.KeyFile == "" {
			return
		}
		var err error
		if h.cache, err = codecache.Open(h.o.CacheDir, h.o.KeyFile); err != nil {
			h.log(ctx, "", "warn", message.New("plugin.cache_unusable", "folder", h.o.CacheDir, "cause", err))
		}
	})
	return h.cache
}
