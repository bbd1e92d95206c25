package wasm

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"errand/host/tool/display"
	"errand/host/wasm/codecache"
	"errand/host/wasm/engine"
	"errand/host/wasm/inspect"
	"errand/host/wasm/linear"
	"errand/host/wasm/manifest"
	"errand/host/wasm/pool"
)

// Manifest is what a plugin says of itself; see [manifest.Manifest].
type Manifest = manifest.Manifest

// Inspection is what a module says of itself; see [inspect.Inspection].
type Inspection = inspect.Inspection

// Inspect reads the outer structure of a module without compiling it.
func Inspect(b []byte) (Inspection, error) { return inspect.Read(b) }

// Options are what a host may use. The zero value grants plugins nothing.
type Options struct {
	// CacheDir keeps compiled modules between runs, sealed with the key in
	// KeyFile, which is made where it is missing and must lie outside of it. ""
	// for either keeps them in memory.
	CacheDir, KeyFile string
	// Memory is the most bytes that the memories of all calls that run take together;
	// 0: 4 GiB.
	Memory uint64
	// IdleMemory is the most bytes that instances kept for their next call take
	// together; 0: 256 MiB. Idle is how long one is kept; 0: five minutes. Calls is
	// how many calls of all plugins run at a time; 0: 32.
	IdleMemory uint64
	Idle       time.Duration
	Calls      int
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
	// Granted answers the folders that were granted to one plugin at its
	// installation, by the keys of its [[paths]]; those of Roots go before.
	Granted func(plugin string) map[string][]string
	// Config answers the values that the person set for a plugin.
	Config func(plugin string) map[string]any
	// Display answers how a tool is shown to people, by the tool's name. Nil: by
	// its name alone.
	Display func(tool string) display.Tool
	// Clock is what plugins take for the time; nil: this machine's.
	Clock Clock
	// Log gets what plugins log, level one of trace, debug, info, warn, error. ctx
	// belongs to the call that logs ([tool.CallerFrom]). It may be called by
	// several goroutines.
	Log func(ctx context.Context, plugin, level, message string)
	// Used is told what each call of a plugin's tool took, before the call's
	// result is known to its caller. nil: nobody asks.
	Used func(tool string, u Usage)
}

// Clock is what plugins take for the time; see [engine.Clock].
type Clock = engine.Clock

// Usage is what a call took.
type Usage struct {
	Fuel   uint64 // WebAssembly instructions, about
	Memory uint64 // bytes of the guest's memories at the end
	Output int    // bytes
}

// Host compiles and runs plugins. It is good for several goroutines.
type Host struct {
	o      Options
	ctx    context.Context // ends with Close, and every call with it
	cancel context.CancelCauseFunc

	pool  *pool.Pool[*engine.Instance]
	total *linear.Total

	mu       sync.Mutex
	closed   bool
	busy     sync.WaitGroup      // single calls and compilations; Add only under mu and not closed
	programs map[string]*program // by digest
	units    map[*unit]struct{}

	cacheOnce sync.Once
	cache     *codecache.Cache
}

// New makes a host. It is cheap: nothing is compiled and no folder touched
// before the first call. Close releases what was made since.
func New(o Options) *Host {
	o.Calls = cmp.Or(o.Calls, 32)
	h := &Host{o: o, total: linear.NewTotal(cmp.Or(o.Memory, 4<<30)), programs: map[string]*program{}, units: map[*unit]struct{}{}}
	h.ctx, h.cancel = context.WithCancelCause(context.Background())
	h.pool = pool.New[*engine.Instance](pool.Options{
		InUse: o.Calls, Bytes: cmp.Or(o.IdleMemory, 256<<20), Idle: cmp.Or(o.Idle, 5*time.Minute),
	})
	return h
}

// enter keeps the host open until leave is called.
func (h *Host) enter() (leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, engine.ErrClosed
	}
	h.busy.Add(1)
	return h.busy.Done, nil
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
	h.cancel(engine.ErrClosed)
	released := make(chan struct{})
	go func() {
		h.mu.Lock()
		units := slices.Collect(maps.Keys(h.units))
		h.mu.Unlock()
		for _, u := range units {
			_ = u.close(context.WithoutCancel(ctx)) // which waits
		}
		h.busy.Wait()
		h.pool.Close()
		for _, p := range h.programs {
			p.Close()
		}
		close(released)
	}()
	select {
	case <-released:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the plugin host: something still runs or compiles: %w", ctx.Err())
	}
}

func (h *Host) log(ctx context.Context, plugin, level, message string) {
	if h.o.Log != nil {
		h.o.Log(ctx, plugin, level, message)
	}
}
