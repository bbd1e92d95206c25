package extism

import (
	"context"
	"encoding/binary"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Module is the name that plugins import the functions from.
const Module = "extism:host/env"

const (
	i32 = api.ValueTypeI32
	i64 = api.ValueTypeI64
)

// function is one import of the ABI. It takes its parameters from s and leaves
// its result there.
type function struct {
	name    string
	params  []api.ValueType
	results []api.ValueType
	call    func(ctx context.Context, k *Kernel, s []uint64)
}

var (
	none = []api.ValueType(nil)
	one  = []api.ValueType{i64}
	two  = []api.ValueType{i64, i64}
)

var functions = []function{
	// Memory.
	{"alloc", one, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.alloc(s[0]) }},
	{"free", one, none, func(_ context.Context, k *Kernel, s []uint64) { k.freeBlock(s[0]) }},
	{"length", one, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.length(s[0]) }},
	{"length_unsafe", one, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.length(s[0]) }},
	{"load_u8", one, []api.ValueType{i32}, func(_ context.Context, k *Kernel, s []uint64) { s[0] = uint64(k.load8(s[0])) }},
	{"load_u64", one, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.load64(s[0]) }},
	{"store_u8", []api.ValueType{i64, i32}, none, func(_ context.Context, k *Kernel, s []uint64) { k.store8(s[0], byte(s[1])) }},
	{"store_u64", two, none, func(_ context.Context, k *Kernel, s []uint64) { k.store64(s[0], s[1]) }},
	{"memory_bytes", none, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = uint64(len(k.mem)) }},
	{"reset", none, none, func(_ context.Context, k *Kernel, _ []uint64) { k.reset() }},

	// Input, output, error.
	{"input_length", none, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.input.length }},
	{"input_offset", none, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.input.at }},
	{"input_load_u8", one, []api.ValueType{i32}, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.inputLoad8(s[0]) }},
	{"input_load_u64", one, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.inputLoad64(s[0]) }},
	{"input_set", two, none, func(_ context.Context, k *Kernel, s []uint64) { k.set(&k.input, s[0], s[1]) }},
	{"output_length", none, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.output.length }},
	{"output_offset", none, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.output.at }},
	{"output_set", two, none, func(_ context.Context, k *Kernel, s []uint64) { k.set(&k.output, s[0], s[1]) }},
	{"error_get", none, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.fault.at }},
	{"error_set", one, none, func(_ context.Context, k *Kernel, s []uint64) { k.fault = span{s[0], k.length(s[0])} }},

	// Configuration and variables.
	{"config_get", one, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.configGet(s[0]) }},
	{"var_get", one, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.varGet(s[0]) }},
	{"var_set", two, none, func(_ context.Context, k *Kernel, s []uint64) { k.varSet(s[0], s[1]) }},

	// HTTP.
	{"http_request", two, one, func(ctx context.Context, k *Kernel, s []uint64) { s[0] = k.httpRequest(ctx, s[0], s[1]) }},
	{"http_status_code", none, []api.ValueType{i32}, func(_ context.Context, k *Kernel, s []uint64) { s[0] = api.EncodeI32(k.httpStatus) }},
	{"http_headers", none, one, func(_ context.Context, k *Kernel, s []uint64) { s[0] = k.httpHeaders() }},

	// Log.
	{"log_trace", one, none, func(_ context.Context, k *Kernel, s []uint64) { k.log(Trace, s[0]) }},
	{"log_debug", one, none, func(_ context.Context, k *Kernel, s []uint64) { k.log(Debug, s[0]) }},
	{"log_info", one, none, func(_ context.Context, k *Kernel, s []uint64) { k.log(Info, s[0]) }},
	{"log_warn", one, none, func(_ context.Context, k *Kernel, s []uint64) { k.log(Warn, s[0]) }},
	{"log_error", one, none, func(_ context.Context, k *Kernel, s []uint64) { k.log(Error, s[0]) }},
	{"get_log_level", none, []api.ValueType{i32}, func(_ context.Context, k *Kernel, s []uint64) { s[0] = api.EncodeI32(int32(k.LogLevel)) }},
}

// Register makes the ABI's functions known to a runtime, once. They live as
// long as the runtime does.
func Register(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(Module)
	for _, f := range functions {
		b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			f.call(ctx, kernelOf(ctx), stack)
		}), f.params, f.results).Export(f.name)
	}
	_, err := b.Instantiate(ctx)
	return err
}

// freeBlock is the ABI's free. Freeing the input empties it.
func (k *Kernel) freeBlock(at uint64) {
	k.free(at)
	if at == k.input.at {
		k.input.length = 0
	}
}

// set points what at a range of the memory; one out of bounds changes nothing.
func (k *Kernel) set(what *span, at, length uint64) {
	if _, ok := k.slice(at, length); ok {
		*what = span{at, length}
	}
}

func (k *Kernel) inputLoad8(i uint64) uint64 {
	if i >= k.input.length {
		return 0
	}
	return uint64(k.load8(k.input.at + i))
}

func (k *Kernel) inputLoad64(i uint64) uint64 {
	if i > k.input.length || k.input.length-i < 8 {
		return 0
	}
	b, ok := k.slice(k.input.at+i, 8)
	if !ok {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}
