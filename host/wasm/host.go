package wasm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
)

// Manifest is what a plugin says of itself; see [manifest.Manifest].
type Manifest = manifest.Manifest

// Inspection is what a module says of itself; see [inspect.Inspection].
type Inspection = inspect.Inspection

// Inspect reads the outer structure of a module without compiling it.
func Inspect(b []byte) (Inspection, error) { return inspect.Read(b) }

// Options are what a host may use. The zero value grants plugins nothing.
type Options struct {
	// CacheDir keeps compiled modules between runs. It must be the user's own:
	// what is in it is executed. "" keeps them in memory.
	CacheDir string
	// Client answers the HTTP client that a plugin may use for the hosts of
	// its manifest; it is what enforces them. nil: no network for plugins. For
	// tools of class read it gets nothing but GET and HEAD.
	Client func(caller string, hosts []string) *http.Client
	// Reserved are ids that only bundled plugins may have: theirs, and what the
	// program's own tools begin with. Patterns such as "hash.*" mean them, also
	// where one of them is turned off.
	Reserved []string
	// Roots maps the keys of [[paths]] to the folders they stand for.
	Roots map[string][]string
	// Config answers the values that the person set for a plugin.
	Config func(plugin string) map[string]any
	// Log gets what plugins log, level one of trace, debug, info, warn, error.
	// It may be called by several goroutines.
	Log func(plugin, level, message string)
}

// Host compiles and runs plugins. It is good for several goroutines.
type Host struct {
	o      Options
	ctx    context.Context // ends with Close, and every call with it
	cancel context.CancelFunc

	mu      sync.Mutex
	closed  bool
	busy    sync.WaitGroup          // calls and compilations; Add only under mu and not closed
	engine  *engine                 // nil before the first call
	spare   *engine                 // without a cache folder; nil until that of engine fails
	modules map[string]*compilation // by digest
	kept    []*sticky
}

// engine is the runtime and the cache that it compiles into.
type engine struct {
	runtime wazero.Runtime
	abi     *extism.ABI
	cache   wazero.CompilationCache
	onDisk  bool // the cache is a folder
}

var errClosed = tool.Errorf(tool.ToolUnavailable, "host_closed", "the plugin host is closed")

// New makes a host. It is cheap: nothing is compiled and no folder touched
// before the first call. Close releases what was made since.
func New(o Options) *Host {
	h := &Host{o: o, modules: map[string]*compilation{}}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// enter keeps the host open until leave is called.
func (h *Host) enter() (leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	h.busy.Add(1)
	return h.busy.Done, nil
}

// started answers the engine and makes it on the first call.
func (h *Host) started() (*engine, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.engine != nil {
		return h.engine, nil
	}
	e, err := h.newEngine(h.openCache())
	if err == nil {
		h.engine = e
	}
	return e, err
}

// withoutFolder answers an engine whose cache is in memory.
func (h *Host) withoutFolder() (*engine, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.spare != nil {
		return h.spare, nil
	}
	e, err := h.newEngine(wazero.NewCompilationCache(), false)
	if err == nil {
		h.spare = e
	}
	return e, err
}

func (h *Host) newEngine(cache wazero.CompilationCache, onDisk bool) (*engine, error) {
	e := &engine{cache: cache, onDisk: onDisk}
	e.runtime = wazero.NewRuntimeWithConfig(h.ctx, wazero.NewRuntimeConfig().
		WithCloseOnContextDone(true). // without it a loop would stop the whole process
		WithCompilationCache(e.cache))
	if _, err := wasi_snapshot_preview1.Instantiate(h.ctx, e.runtime); err != nil {
		return nil, errors.Join(fmt.Errorf("instantiate WASI: %v", err), e.close(h.ctx))
	}
	var err error
	if e.abi, err = extism.Register(h.ctx, e.runtime); err != nil {
		return nil, errors.Join(fmt.Errorf("instantiate the Extism ABI: %v", err), e.close(h.ctx))
	}
	return e, nil
}

func (e *engine) close(ctx context.Context) error {
	return errors.Join(e.runtime.Close(ctx), e.cache.Close(ctx))
}

// Close ends every call, waits for it and releases the runtime. A module that
// is being compiled can't be interrupted, so this may take seconds; where ctx
// ends first, Close says so and the rest is released once it can be. Calls
// after Close fail. It may be called more than once.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	again := h.closed
	h.closed = true
	h.mu.Unlock()
	if again {
		return nil
	}
	h.cancel()
	released := make(chan error, 1)
	go func() {
		h.busy.Wait()
		for _, s := range h.kept {
			s.close()
		}
		var errs []error
		for _, e := range []*engine{h.spare, h.engine} {
			if e != nil {
				errs = append(errs, e.close(context.WithoutCancel(ctx)))
			}
		}
		released <- errors.Join(errs...)
	}()
	select {
	case err := <-released:
		return err
	case <-ctx.Done():
		return fmt.Errorf("close the plugin host: something still runs or compiles: %w", ctx.Err())
	}
}

func (h *Host) log(plugin, level, message string) {
	if h.o.Log != nil {
		h.o.Log(plugin, level, message)
	}
}
