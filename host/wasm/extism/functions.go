package extism

import (
	"github.com/tetratelabs/wazero/api"

	"errand/host/tool"
	"errand/planner/message"
)

// UserModule is the module from which plugins import the embedder's functions.
const UserModule = "extism:host/user"

// Function is a function that plugins may import, from [UserModule] or another
// module. It reads its parameters from the stack and writes its result there; both
// are usually handles ([Call.Read], [Call.Write]). To end the call, it panics with
// a *tool.Error. If Call is nil, the function does nothing.
type Function struct {
	Module, Name    string
	Params, Results []api.ValueType
	Call            func(c *Call, stack []uint64)
}

// Handle is the type of a handle as parameter or result.
var Handle = []api.ValueType{api.ValueTypeI64}

var (
	noTypes = []api.ValueType(nil)
	i32     = []api.ValueType{api.ValueTypeI32}
	i64     = []api.ValueType{api.ValueTypeI64}
	two     = []api.ValueType{api.ValueTypeI64, api.ValueTypeI64}
)

// functions are imported by the kernel, which exports them to plugins.
var functions = []Function{
	{hostModule, "config_get", i64, i64, func(c *Call, s []uint64) { s[0] = c.configGet(s[0]) }},
	{hostModule, "var_get", i64, i64, func(c *Call, s []uint64) { s[0] = c.varGet(s[0]) }},
	{hostModule, "var_set", two, noTypes, func(c *Call, s []uint64) { c.varSet(s[0], s[1]) }},

	{hostModule, "http_request", two, i64, func(c *Call, s []uint64) { s[0] = c.httpRequest(s[0], s[1]) }},
	{hostModule, "http_status_code", noTypes, i32, func(c *Call, s []uint64) { s[0] = api.EncodeI32(c.httpStatus) }},
	{hostModule, "http_headers", noTypes, i64, func(c *Call, s []uint64) { s[0] = c.httpHeaders() }},

	{hostModule, "log_trace", i64, noTypes, func(c *Call, s []uint64) { c.log(Trace, s[0]) }},
	{hostModule, "log_debug", i64, noTypes, func(c *Call, s []uint64) { c.log(Debug, s[0]) }},
	{hostModule, "log_info", i64, noTypes, func(c *Call, s []uint64) { c.log(Info, s[0]) }},
	{hostModule, "log_warn", i64, noTypes, func(c *Call, s []uint64) { c.log(Warn, s[0]) }},
	{hostModule, "log_error", i64, noTypes, func(c *Call, s []uint64) { c.log(Error, s[0]) }},
	{hostModule, "get_log_level", noTypes, i32, func(c *Call, s []uint64) { s[0] = api.EncodeI32(int32(c.LogLevel)) }},

	{hostModule, "reset", noTypes, noTypes, func(c *Call, _ []uint64) { c.reset() }},
}

// observeFunctions are the imports of a module that was instrumented by Dylibso's observe
// SDK. They do nothing, so that such a module runs.
var observeFunctions = []Function{
	{"dylibso_observe", "instrument_enter", i32, noTypes, nil},
	{"dylibso_observe", "instrument_exit", i32, noTypes, nil},
	{"dylibso_observe", "instrument_memory_grow", i32, noTypes, nil},
}

// reset implements the ABI's reset: it frees all blocks and clears input, output
// and error. It costs the plugin no fuel, so it stops when the call ends.
func (c *Call) reset() {
	c.pause()
	if _, err := c.kernel.rewind(0, c.endedError); err != nil {
		panic(err)
	}
}

// endedError returns the call's error if its context has ended.
func (c *Call) endedError() error {
	if err := c.Err(); err != nil {
		return tool.NewError(tool.ExecutionError, "interrupted", message.New("plugin.call_ended", "cause", err))
	}
	return nil
}

// pause ends the call if its context has ended.
func (c *Call) pause() {
	if err := c.endedError(); err != nil {
		panic(err)
	}
}
