package engine

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Error numbers of WASI.
const (
	errnoSuccess = 0
	errnoFault   = 21 // a bad address
)

// exportArguments adds WASI's functions for command-line arguments. wazero's own return
// the same arguments for all calls of an instance.
func exportArguments(b wazero.HostModuleBuilder) {
	pointers := []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}
	errno := []api.ValueType{api.ValueTypeI32}
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(argumentSizes), pointers, errno).Export("args_sizes_get")
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(writeArguments), pointers, errno).Export("args_get")
}

// arguments returns the guest's arguments: the program's name and those of the call.
func arguments(ctx context.Context) []string {
	r := runOf(ctx)
	if r == nil {
		return nil
	}
	all := []string{r.instance.Program}
	if c := r.instance.current; c != nil {
		all = append(all, c.Args...)
	}
	return all
}

// argumentSizes is args_sizes_get: it writes the number of arguments, and the bytes that
// they take with a NUL each.
func argumentSizes(ctx context.Context, m api.Module, stack []uint64) {
	count, size := uint32(stack[0]), uint32(stack[1])
	all, bytes := arguments(ctx), 0
	for _, a := range all {
		bytes += len(a) + 1
	}
	stack[0] = errnoSuccess
	if !m.Memory().WriteUint32Le(count, uint32(len(all))) || !m.Memory().WriteUint32Le(size, uint32(bytes)) {
		stack[0] = errnoFault
	}
}

// writeArguments is args_get: it writes an address for each argument, and the arguments
// with a NUL each.
func writeArguments(ctx context.Context, m api.Module, stack []uint64) {
	address, text := uint32(stack[0]), uint32(stack[1])
	stack[0] = errnoFault
	for _, a := range arguments(ctx) {
		b := append([]byte(a), 0)
		if !m.Memory().WriteUint32Le(address, text) || !m.Memory().Write(text, b) {
			return
		}
		address, text = address+4, text+uint32(len(b))
	}
	stack[0] = errnoSuccess
}
