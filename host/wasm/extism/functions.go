package extism

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/host/tool"
)

// function is an import of the ABI whose work is Go's. It takes its parameters
// from s and leaves its result there.
type function struct {
	name    string
	params  []api.ValueType
	results []api.ValueType
	call    func(c *Call, s []uint64)
}

var (
	none = []api.ValueType(nil)
	i32  = []api.ValueType{api.ValueTypeI32}
	i64  = []api.ValueType{api.ValueTypeI64}
	two  = []api.ValueType{api.ValueTypeI64, api.ValueTypeI64}
)

// functions are what the kernel imports, and exports as its own.
var functions = []function{
	{"config_get", i64, i64, func(c *Call, s []uint64) { s[0] = c.configGet(s[0]) }},
	{"var_get", i64, i64, func(c *Call, s []uint64) { s[0] = c.varGet(s[0]) }},
	{"var_set", two, none, func(c *Call, s []uint64) { c.varSet(s[0], s[1]) }},

	{"http_request", two, i64, func(c *Call, s []uint64) { s[0] = c.httpRequest(s[0], s[1]) }},
	{"http_status_code", none, i32, func(c *Call, s []uint64) { s[0] = api.EncodeI32(c.httpStatus) }},
	{"http_headers", none, i64, func(c *Call, s []uint64) { s[0] = c.httpHeaders() }},

	{"log_trace", i64, none, func(c *Call, s []uint64) { c.log(Trace, s[0]) }},
	{"log_debug", i64, none, func(c *Call, s []uint64) { c.log(Debug, s[0]) }},
	{"log_info", i64, none, func(c *Call, s []uint64) { c.log(Info, s[0]) }},
	{"log_warn", i64, none, func(c *Call, s []uint64) { c.log(Warn, s[0]) }},
	{"log_error", i64, none, func(c *Call, s []uint64) { c.log(Error, s[0]) }},
	{"get_log_level", none, i32, func(c *Call, s []uint64) { s[0] = api.EncodeI32(int32(c.LogLevel)) }},

	{"reset", none, none, func(c *Call, _ []uint64) { c.reset() }},
}

func instantiateHost(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(hostModule)
	for _, f := range functions {
		b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			f.call(callOf(ctx), stack)
		}), f.params, f.results).Export(f.name)
	}
	_, err := b.Instantiate(ctx)
	return err
}

// reset is the ABI's reset: nothing allocated, no input, output or error. It is
// the one function whose cost the plugin has not paid, so it ends where the call
// does.
func (c *Call) reset() {
	if err := c.Err(); err != nil {
		panic(tool.Errorf(tool.ExecutionError, "interrupted", "the call ended: %v", err))
	}
	if _, err := c.kernel.rewind(0); err != nil {
		panic(err)
	}
}
