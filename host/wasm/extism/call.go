package extism

import (
	"bytes"
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/stack"
	"errand/planner/message"
	"errand/policy/redact"
)

// Call is one call of a plugin: its permissions and the context of its host
// functions. [Kernel.Begin] binds it to a [Kernel]. It can be reused after its
// outcome was read; within the same context that costs no allocation. The zero
// value grants nothing.
type Call struct {
	// Plugin names the plugin in messages; zero means "the plugin".
	Plugin message.Message

	Config map[string]string // values for config_get
	Vars   map[string][]byte // variables; they outlive the call, which changes them in place

	// Folders are the paths of the folders that the plugin sees, for functions of
	// the embedder.
	Folders []string

	Log      func(level Level, line message.Message)
	LogLevel Level // minimum level to log

	Client  *http.Client // nil refuses all requests
	Hosts   []string     // permitted hosts, for messages; empty refuses all requests
	Secrets map[string]Secret
	// OtherSecrets are those of other plugins. The plugin can't send them, and answers of servers
	// show it no secrets of either kind.
	OtherSecrets []Secret

	// ReadOnly refuses every request except GET and HEAD, for a read-only tool.
	ReadOnly bool

	// ByFlag reports that hosts are permitted by a flag of the command, because there is no
	// manifest.
	ByFlag bool

	// Starting reports that the plugin is initialised. It may not send requests.
	Starting bool

	// Previewing reports that the call previews another one before its approval. It may
	// not send requests.
	Previewing bool

	Limits Limits
	// Raise returns how to raise a limit, by its key in a manifest's [limits]. Nil
	// means the key itself.
	Raise func(key string) message.Message

	ctx         context.Context
	watched     *atomic.Pointer[context.Context] // ctx for the engine's watchers, which may still read it while the next call begins
	kernel      *Kernel
	requests    int
	lines       int
	tail        stack.Tail // of the log
	varBytes    uint64     // size of Vars, once counted
	hasVarBytes bool
	hide        *redact.Redactor // removes them from answers; nil until needed
	httpStatus  int32
	httpHeader  http.Header
	httpFrom    string // URL after redirects; "" if unchanged or not requested
}

// Limits apply to one call. 0 permits nothing.
type Limits struct {
	HTTPBody     uint64 // bytes of one response; limits.http_body
	HTTPRequests int    // limits.http_requests
	Vars         uint64 // total bytes of all variables; limits.vars
	LogLines     int    // limits.log_lines
}

// DefaultLimits returns the limits of a manifest without any.
func DefaultLimits() Limits {
	return Limits{HTTPBody: 50 << 20, HTTPRequests: 100, Vars: 1 << 20, LogLines: 1000}
}

// begin binds the call to a kernel and resets its counters.
func (c *Call) begin(ctx context.Context, k *Kernel) {
	if c.watched == nil {
		c.watched = new(atomic.Pointer[context.Context])
	}
	if c.ctx != ctx {
		heapCtx := ctx // allocate here, not in each call
		c.watched.Store(&heapCtx)
	}
	c.ctx, c.kernel = ctx, k
	c.requests, c.lines, c.hasVarBytes = 0, 0, false
	c.tail.Reset()
	c.httpStatus, c.httpHeader, c.httpFrom = 0, nil, ""
	c.hide = nil
}

type callKey struct{}

// callOf returns the call that a host function runs for.
func callOf(ctx context.Context) *Call {
	c, ok := ctx.(*Call)
	if !ok {
		c, _ = ctx.Value(callKey{}).(*Call)
	}
	if c == nil || c.kernel == nil {
		panic(tool.NewError(tool.ExecutionError, "no_call", message.New("plugin.function_outside_call")))
	}
	return c
}

// A Call is the context of its host functions. It wraps the context of
// [Kernel.Begin] and also returns the call itself.
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

// limitError returns the error for a limit: what was too much and how to raise the
// limit.
func (c *Call) limitError(class tool.Class, code, key string, m message.Message) *tool.Error {
	raise := message.New("plugin.raise_limit", "key", key, "file", manifest.File)
	if c.Raise != nil {
		raise = c.Raise(key)
	}
	return tool.NewError(class, code, m).WithHint(raise)
}

// name is the plugin in messages.
func (c *Call) name() message.Message {
	if c.Plugin.IsZero() {
		return message.New("plugin.unnamed")
	}
	return c.Plugin
}

// noMemory returns the error for data from the host that exceeds the plugin's memory
// limit. data says what it is.
func (c *Call) noMemory(data message.Message, size int) *tool.Error {
	return c.limitError(tool.ExecutionError, "memory_limit", "memory",
		message.New("plugin.data_above_memory_limit", "name", c.name(), "limit", manifest.Size(c.kernel.limit), "data", data, "size", size))
}

// MaxMessage limits the input of one of the embedder's functions and a request
// without its body, in bytes. The host can't be interrupted while it reads them.
const MaxMessage = 1 << 20

// Read copies the block that a plugin passed to one of the embedder's functions,
// and frees it. function is the name for messages. An unknown handle or a block
// longer than [MaxMessage] ends the call.
func (c *Call) Read(function string, handle uint64) []byte {
	b := bytes.Clone(c.message(function, handle))
	c.kernel.free(handle)
	return b
}

// message is [Call.bytes] with the limit [MaxMessage].
func (c *Call) message(function string, at uint64) []byte {
	b := c.bytes(function, at)
	if len(b) > MaxMessage {
		panic(tool.NewError(tool.ExecutionError, "message_too_long", message.New("plugin.message_too_long", "function", function, "size", len(b), "limit", MaxMessage)).
			WithHint(message.New("plugin.shorten_message")))
	}
	return b
}

// Write passes bytes to the plugin in a new block and returns its handle, 0 if b
// is empty. If they don't fit, the call ends.
func (c *Call) Write(b []byte) uint64 {
	return c.answer(message.New("plugin.data_of_host"), b)
}

// bytes returns the block that the plugin passed. An unknown handle ends the call.
func (c *Call) bytes(function string, at uint64) []byte {
	b, err := c.kernel.block(at)
	if err != nil {
		panic(tool.NewError(tool.ExecutionError, "invalid_handle", message.New("plugin.invalid_handle", "function", function, "handle", at)))
	}
	return b
}

// answer passes b to the plugin in a new block. If it does not fit, the call ends,
// because the ABI's error value 0 would mean that there is no data.
func (c *Call) answer(data message.Message, b []byte) uint64 {
	at := c.kernel.write(b)
	if at == 0 && len(b) > 0 {
		panic(c.noMemory(data, len(b)))
	}
	return at
}

// configGet implements the ABI's config_get.
func (c *Call) configGet(key uint64) uint64 {
	value := c.Config[string(c.message("config_get", key))]
	c.kernel.free(key)
	at := c.kernel.writeString(value)
	if at == 0 && value != "" {
		panic(c.noMemory(message.New("plugin.data_of_setting"), len(value)))
	}
	return at
}
