package extism

import (
	"github.com/tetratelabs/wazero/api"

	"errand/host/tool"
)

// UserModule is the name that plugins import an embedder's own functions from.
const UserModule = "extism:host/user"

// Function is a function that plugins may import, of [UserModule] or of another
// module. It takes its parameters from stack and leaves its result there; by
// convention both are handles ([Call.Read], [Call.Write]). It ends the call by a
// panic with a *tool.Error. One without a Call does nothing, in or out of a call.
type Function struct {
	Module, Name    string
	Params, Results []api.ValueType
	Call            func(c *Call, stack []uint64)
}

// Handle is the type of a parameter or result that is a handle.
var Handle = []api.ValueType{api.ValueTypeI64}

var (
	none = []api.ValueType(nil)
	i32  = []api.ValueType{api.ValueTypeI32}
	i64  = []api.ValueType{api.ValueTypeI64}
	two  = []api.ValueType{api.ValueTypeI64, api.ValueTypeI64}
)

// functions are what the kernel imports, and exports as its own.
var functions = []Function{
	{hostModule, "config_get", i64, i64, func(c *Call, s []uint64) { s[0] = c.configGet(s[0]) }},
	{hostModule, "var_get", i64, i64, func(c *Call, s []uint64) { s[0] = c.varGet(s[0]) }},
	{hostModule, "var_set", two, none, func(c *Call, s []uint64) { c.varSet(s[0], s[1]) }},

	{hostModule, "http_request", two, i64, func(c *Call, s []uint64) { s[0] = c.httpRequest(s[0], s[1]) }},
	{hostModule, "http_status_code", none, i32, func(c *Call, s []uint64) { s[0] = api.EncodeI32(c.httpStatus) }},
	{hostModule, "http_headers", none, i64, func(c *Call, s []uint64) { s[0] = c.httpHeaders() }},

	{hostModule, "log_trace", i64, none, func(c *Call, s []uint64) { c.log(Trace, s[0]) }},
	{hostModule, "log_debug", i64, none, func(c *Call, s []uint64) { c.log(Debug, s[0]) }},
	{hostModule, "log_info", i64, none, func(c *Call, s []uint64) { c.log(Info, s[0]) }},
	{hostModule, "log_warn", i64, none, func(c *Call, s []uint64) { c.log(Warn, s[0]) }},
	{hostModule, "log_error", i64, none, func(c *Call, s []uint64) { c.log(Error, s[0]) }},
	{hostModule, "get_log_level", none, i32, func(c *Call, s []uint64) { s[0] = api.EncodeI32(int32(c.LogLevel)) }},

	{hostModule, "reset", none, none, func(c *Call, _ []uint64) { c.reset() }},
}

// observed are what a module imports that Dylibso's observe SDK has instrumented.
// Nobody observes here, so they do nothing and the module runs.
var observed = []Function{
	{"dylibso_observe", "instrument_enter", i32, none, nil},
	{"dylibso_observe", "instrument_exit", i32, none, nil},
	{"dylibso_observe", "instrument_memory_grow", i32, none, nil},
}

// reset is the ABI's reset: nothing allocated, no input, output or error. It is
// the one function whose cost the plugin has not paid, so it ends where the call
// does.
func (c *Call) reset() {
	c.pause()
	if _, err := c.kernel.rewind(0, c.ended); err != nil {
		panic(err)
	}
}

// ended is the error that the call ends with where its context has ended.
func (c *Call) ended() error {
	if err := c.Err(); err != nil {
		return tool.Errorf(tool.ExecutionError, "interrupted", "the call ended: %v", err)
	}
	return nil
}

// pause ends the call where its context has ended.
func (c *Call) pause() {
	if err := c.ended(); err != nil {
		panic(err)
	}
}
