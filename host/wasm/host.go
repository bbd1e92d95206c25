package wasm

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"errand/host/tool/display"
	"errand/host/tool/schema"
	"errand/host/wasm/codecache"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/inspect"
	"errand/host/wasm/linear"
	"errand/host/wasm/manifest"
	"errand/host/wasm/pool"
	"errand/planner/message"
)

// Manifest is a plugin's manifest; see [manifest.Manifest].
type Manifest = manifest.Manifest

// Inspection is the outer structure of a module; see [inspect.Inspection].
type Inspection = inspect.Inspection

// Inspect reads the outer structure of a module without compiling it.
func Inspect(b []byte) (Inspection, error) { return inspect.Read(b) }

// Options configure a [Host]. The zero value grants plugins nothing.
type Options struct {
	// CacheDir stores compiled modules between runs, sealed with the key in
	// KeyFile. KeyFile is created if missing and must be outside CacheDir. If
	// either is "", compiled modules stay in memory.
	CacheDir, KeyFile string
	// Memory limits the total memory of all running calls, in bytes. 0 means 4
	// GiB.
	Memory uint64
	// IdleMemory limits the total memory of idle instances, in bytes; 0 means 256
	// MiB. Idle is how long an instance is kept; 0 means five minutes. Calls is
	// the maximum number of concurrent calls of all plugins; 0 means 32.
	IdleMemory uint64
	Idle       time.Duration
	Calls      int
	// Client returns the HTTP client for a plugin; it must enforce the hosts of
	// the manifest. Nil means that plugins have no network. Tools of class read
	// may only send GET and HEAD.
	Client func(caller string, hosts []string) *http.Client
	// Reserved are ids that only bundled plugins may have: their own and the
	// prefixes of built-in tools. A pattern such as "hash.*" then always means the
	// bundled plugin, even if it is turned off.
	Reserved []string
	// Roots maps the keys of [[paths]] to folders, for every plugin.
	Roots map[string][]string
	// Usable returns an error if plugins must not use a granted folder now. It is asked
	// each time that the folder is opened. Nil permits all.
	Usable func(folder string) error
	// Config returns the user's settings for a plugin.
	Config func(plugin string) map[string]any
	// FormerSecrets returns the keys of settings that another version of a plugin had as
	// secrets. It does not get the user's values of these in clear. Nil means none.
	FormerSecrets func(plugin string) []string
	// OtherSecrets returns the secrets of all plugins but one. Answers of servers never show them
	// to it. Nil means none. It must be safe for concurrent use.
	OtherSecrets func(plugin string) []Secret
	// Effort returns the factor by which the bounds on compiling a plugin are
	// raised. Nil means 1 for all.
	Effort func(plugin string) int
	// Preferred reports whether goals use a plugin's tools rather than others that can do
	// the same. Nil means false for all.
	Preferred func(plugin string) bool
	// Display returns how to show a tool to people. Nil shows its name.
	Display func(tool string) display.Tool
	// Clock is the clock for plugins. Nil means this machine's clock.
	Clock Clock
	// Log receives plugins' log lines, which are verbatim text, and the host's own
	// warnings. The level is trace, debug, info, warn or error. ctx belongs to the
	// call that logs ([tool.CallerFrom]). It must be safe for concurrent use.
	Log func(ctx context.Context, plugin, level string, line message.Message)
	// Used receives the resource use of each call of a plugin's tool, before the
	// caller gets the result. Nil ignores it.
	Used func(tool string, u Usage)
}

// Secret is a value that a plugin may send and never sees; see [extism.Secret].
type Secret = extism.Secret

// Clock is the clock for plugins; see [engine.Clock].
type Clock = engine.Clock

// Usage is the resource use of a call.
type Usage struct {
	Fuel   uint64 // WebAssembly instructions, approximately
	Memory uint64 // bytes of the guest's memories at the end of the call
	Output int    // bytes
}

// Host compiles and runs plugins. It is safe for concurrent use.
type Host struct {
	o      Options
	ctx    context.Context // Close cancels it and so every call
	cancel context.CancelCauseFunc

	pool  *pool.Pool[*engine.Instance]
	total *linear.Total

	mu       sync.Mutex
	closed   bool
	busy     sync.WaitGroup      // single calls; call Add only under mu while not closed
	compiles sync.WaitGroup      // compilations; likewise
	programs map[string]*program // by digest
	units    map[*unit]struct{}

	schemas schema.Checker // of undo calls

	cacheOnce sync.Once
	cache     *codecache.Cache
}

// New returns a host. It compiles nothing and touches no folder before the first
// call. Call Close to release its resources.
func New(o Options) *Host {
	o.Calls = cmp.Or(o.Calls, 32)
	h := &Host{o: o, total: linear.NewTotal(cmp.Or(o.Memory, 4<<30)), programs: map[string]*program{}, units: map[*unit]struct{}{}}
	h.ctx, h.cancel = context.WithCancelCause(context.Background())
	h.pool = pool.New[*engine.Instance](pool.Options{
		InUse: o.Calls, Bytes: cmp.Or(o.IdleMemory, 256<<20), Idle: cmp.Or(o.Idle, 5*time.Minute),
	})
	return h
}

// enter keeps the host open until the caller calls leave.
func (h *Host) enter() (leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, engine.ErrClosed
	}
	h.busy.Add(1)
	return h.busy.Done, nil
}

// Close cancels every call and compilation, waits for them and releases the runtime.
// A compilation ends with the functions that are being compiled, which may take
// seconds; Close waits at most compileWait for that. If ctx ends first,
// Close returns an error and the rest is released in the background. Calls after
// Close fail. It is safe to call more than once.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	again := h.closed
	h.closed = true
	h.mu.Unlock()
	if again {
		return nil
	}
	h.cancel(engine.ErrClosed)
	released, called := make(chan struct{}), make(chan struct{})
	go func() {
		h.mu.Lock()
		units := slices.Collect(maps.Keys(h.units))
		h.mu.Unlock()
		for _, u := range units {
			_ = u.close(context.WithoutCancel(ctx)) // waits for the unit's calls
		}
		h.busy.Wait()
		close(called)
		h.compiles.Wait()
		h.pool.Close()
		for _, p := range h.programs {
			p.Close()
		}
		close(released)
	}()
	select {
	case <-called:
	case <-ctx.Done():
		return message.Error("plugin.close_host", "cause", ctx.Err())
	}
	waited := time.NewTimer(compileWait)
	defer waited.Stop()
	select {
	case <-released:
	case <-waited.C: // the rest is released when the compilation has ended
	case <-ctx.Done():
		return message.Error("plugin.close_host", "cause", ctx.Err())
	}
	return nil
}

// compileWait is how long [Host.Close] waits for compilations.
const compileWait = 300 * time.Millisecond

func (h *Host) log(ctx context.Context, plugin, level string, line message.Message) {
	if h.o.Log != nil {
		h.o.Log(ctx, plugin, level, line)
	}
}
