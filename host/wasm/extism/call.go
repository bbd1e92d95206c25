package extism

import (
	"context"
	"net/http"
	"time"

	"errand/host/tool"
)

// Call is one call of a plugin: what it may use, and the context that its
// functions run in. It is bound to a [Kernel] by [Kernel.Begin] and may be begun
// again once its outcome was read; that costs no allocation. The zero value
// grants nothing.
type Call struct {
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
	kernel     *Kernel
	requests   int
	lines      int
	varBytes   uint64 // of Vars; known once counted
	counted    bool
	httpStatus int32
	httpHeader http.Header
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
	c.ctx, c.kernel = ctx, k
	c.requests, c.lines, c.counted = 0, 0, false
	c.httpStatus, c.httpHeader = 0, nil
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

// Deadline implements [context.Context].
func (c *Call) Deadline() (time.Time, bool) { return c.ctx.Deadline() }

// Done implements [context.Context].
func (c *Call) Done() <-chan struct{} { return c.ctx.Done() }

// Err implements [context.Context].
func (c *Call) Err() error { return c.ctx.Err() }

// Value implements [context.Context].
func (c *Call) Value(key any) any {
	if _, ok := key.(callKey); ok {
		return c
	}
	return c.ctx.Value(key)
}

// exceeded is a passed limit's error: what was too much, and what allows more.
func (c *Call) exceeded(class tool.Class, code, key, format string, args ...any) *tool.Error {
	raise := "raise limits." + key + " in the plugin's plugin.toml"
	if c.Raise != nil {
		raise = c.Raise(key)
	}
	return tool.Errorf(class, code, format, args...).WithHint("%s", raise)
}

// Read is a copy of the block at a handle that a plugin passed to one of the
// embedder's functions, which the name is that of. The block is freed: it has
// become the host's. A handle that was never handed out ends the call.
func (c *Call) Read(function string, handle uint64) []byte {
	b := append([]byte(nil), c.bytes(function, handle)...)
	c.kernel.free(handle)
	return b
}

// Write hands bytes to the plugin as a new block and answers its handle, 0 for
// none. Where they don't fit, the call ends.
func (c *Call) Write(b []byte) uint64 {
	at := c.answer(b)
	if at == 0 && len(b) > 0 {
		panic(c.exceeded(tool.ExecutionError, "memory_limit", "memory",
			"%d bytes for the plugin do not fit in its memory limit of %d bytes", len(b), c.kernel.limit))
	}
	return at
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

// answer hands b to the plugin as a new block. One that does not fit is 0, as
// from alloc, for which the plugin may have an answer of its own.
func (c *Call) answer(b []byte) uint64 { return c.kernel.write(b) }

// configGet is the ABI's config_get.
func (c *Call) configGet(key uint64) uint64 {
	value := c.Config[string(c.bytes("config_get", key))]
	c.kernel.free(key)
	return c.kernel.writeString(value)
}
