package extism

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/stack"
	"errand/policy/redact"
)

// Call is one call of a plugin: what it may use, and the context that its
// functions run in. It is bound to a [Kernel] by [Kernel.Begin] and may be begun
// again once its outcome was read; within the same context that costs no
// allocation. The zero value grants nothing.
type Call struct {
	// Plugin is what messages call the plugin, "" for "the plugin".
	Plugin string

	Config map[string]string // what config_get answers
	Vars   map[string][]byte // variables; they outlive a call, and Vars is changed in place

	// Folders are what the plugin is shown, by their paths in it: for functions of
	// the embedder that tell.
	Folders []string

	Log      func(level Level, message string)
	LogLevel Level // what is below is not logged

	Client  *http.Client // how requests are made; nil refuses them
	Hosts   []string     // what the plugin may reach, for messages; empty refuses requests
	Secrets map[string]Secret

	// ReadOnly refuses every request but GET and HEAD: the tool says that it
	// changes nothing.
	ReadOnly bool

	Limits Limits
	// Raise says what raises a limit, by the limit's key in a manifest's [limits].
	// nil: names that key.
	Raise func(key string) string

	ctx        context.Context
	watched    *atomic.Pointer[context.Context] // ctx, for the engine's watchers, which may still look while the next call begins
	kernel     *Kernel
	requests   int
	lines      int
	tail       stack.Tail // of the log
	varBytes   uint64     // of Vars; known once counted
	counted    bool
	told       []string         // secrets that requests of the call carried
	hide       *redact.Redactor // takes them out of answers; nil until it is needed
	httpStatus int32
	httpHeader http.Header
	httpFrom   string // where redirects led to; "": nowhere else, or the plugin did not ask
}

// Limits bound one call. 0 is none of it, not no limit.
type Limits struct {
	HTTPBody     uint64 // bytes of one answer; limits.http_body
	HTTPRequests int    // limits.http_requests
	Vars         uint64 // bytes of all variables together; limits.vars
	LogLines     int    // limits.log_lines
}

// DefaultLimits are those of a manifest that states none.
func DefaultLimits() Limits {
	return Limits{HTTPBody: 50 << 20, HTTPRequests: 100, Vars: 1 << 20, LogLines: 1000}
}

// begin binds the call to a kernel and starts its accounts anew.
func (c *Call) begin(ctx context.Context, k *Kernel) {
	if c.watched == nil {
		c.watched = new(atomic.Pointer[context.Context])
	}
	if c.ctx != ctx {
		kept := ctx // moved to the heap here, and not for each call
		c.watched.Store(&kept)
	}
	c.ctx, c.kernel = ctx, k
	c.requests, c.lines, c.counted = 0, 0, false
	c.tail.Reset()
	c.httpStatus, c.httpHeader, c.httpFrom = 0, nil, ""
	c.told, c.hide = nil, nil
}

type callKey struct{}

// callOf finds the call that a function runs for.
func callOf(ctx context.Context) *Call {
	c, ok := ctx.(*Call)
	if !ok {
		c, _ = ctx.Value(callKey{}).(*Call)
	}
	if c == nil || c.kernel == nil {
		panic(tool.Errorf(tool.ExecutionError, "no_call", "an Extism function was called outside a call"))
	}
	return c
}

// A Call is the context that its functions run in: [Kernel.Begin]'s, in which
// the call itself can be found.
var _ context.Context = (*Call)(nil)

func (c *Call) parent() context.Context { return *c.watched.Load() }

// Deadline implements [context.Context].
func (c *Call) Deadline() (time.Time, bool) { return c.parent().Deadline() }

// Done implements [context.Context].
func (c *Call) Done() <-chan struct{} { return c.parent().Done() }

// Err implements [context.Context].
func (c *Call) Err() error { return c.parent().Err() }

// Value implements [context.Context].
func (c *Call) Value(key any) any {
	if _, ok := key.(callKey); ok {
		return c
	}
	return c.parent().Value(key)
}

// exceeded is a passed limit's error: whose limit it was, what was too much, and
// what allows more.
func (c *Call) exceeded(class tool.Class, code, key, format string, args ...any) *tool.Error {
	raise := "raise limits." + key + " in the plugin's plugin.toml"
	if c.Raise != nil {
		raise = c.Raise(key)
	}
	return tool.Errorf(class, code, "%s "+format, append([]any{cmp.Or(c.Plugin, "the plugin")}, args...)...).WithHint("%s", raise)
}

// noRoom is the error of what the host has for the plugin and its memory limit
// leaves no room for.
func (c *Call) noRoom(what string, n int) *tool.Error {
	return c.exceeded(tool.ExecutionError, "memory_limit", "memory",
		"needs more than its memory limit of %s: %s of %d bytes does not fit", manifest.Size(c.kernel.limit), what, n)
}

// MaxMessage is the most bytes that one of the embedder's functions, and a request
// beside its body, may be told. What the host reads can't be ended half way.
const MaxMessage = 1 << 20

// Read is a copy of the block at a handle that a plugin passed to one of the
// embedder's functions, which the name is that of. The block is freed: it has
// become the host's. A handle that was never handed out ends the call, and so does
// a block longer than [MaxMessage].
func (c *Call) Read(function string, handle uint64) []byte {
	b := bytes.Clone(c.message(function, handle))
	c.kernel.free(handle)
	return b
}

// message is [Call.bytes] for what the host is going to read.
func (c *Call) message(function string, at uint64) []byte {
	b := c.bytes(function, at)
	if len(b) > MaxMessage {
		panic(tool.Errorf(tool.ExecutionError, "message_too_long", "the plugin passed %s a message of %d bytes; at most %d are read", function, len(b), MaxMessage).
			WithHint("have the plugin say it in less"))
	}
	return b
}

// Write hands bytes to the plugin as a new block and answers its handle, 0 for
// none. Where they don't fit, the call ends.
func (c *Call) Write(b []byte) uint64 {
	return c.answer("an answer of the host", b)
}

// bytes answers the block at a handle that the plugin handed over. A handle
// that was never handed out ends the call.
func (c *Call) bytes(function string, at uint64) []byte {
	b, err := c.kernel.block(at)
	if err != nil {
		panic(tool.Errorf(tool.ExecutionError, "invalid_handle", "the plugin passed %s a handle (%d) that is not a block of its memory", function, at))
	}
	return b
}

// answer hands b to the plugin as a new block. One that does not fit ends the
// call: the ABI's word for that, 0, would tell the plugin that there is none.
func (c *Call) answer(what string, b []byte) uint64 {
	at := c.kernel.write(b)
	if at == 0 && len(b) > 0 {
		panic(c.noRoom(what, len(b)))
	}
	return at
}

// configGet is the ABI's config_get.
func (c *Call) configGet(key uint64) uint64 {
	value := c.Config[string(c.message("config_get", key))]
	c.kernel.free(key)
	at := c.kernel.writeString(value)
	if at == 0 && value != "" {
		panic(c.noRoom("a setting", len(value)))
	}
	return at
}
