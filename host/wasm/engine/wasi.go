package engine

import (
	"context"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	wasi "github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// instantiateWASI makes WASI known to a runtime and answers its functions. It
// is wazero's but for two things: an exit leaves the module open, so that the
// instance can be put back and used again, and what changes the descriptors
// that every call begins with is noted.
func instantiateWASI(ctx context.Context, r wazero.Runtime) (map[string]api.FunctionDefinition, error) {
	b := r.NewHostModuleBuilder(wasi.ModuleName)
	wasi.NewFunctionExporter().ExportFunctions(b)
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) {
		panic(sys.NewExitError(uint32(stack[0])))
	}), []api.ValueType{api.ValueTypeI32}, nil).Export("proc_exit")
	m, err := b.Instantiate(experimental.WithFunctionListenerFactory(ctx, descriptors{}))
	if err != nil {
		return nil, err
	}
	return m.ExportedFunctionDefinitions(), nil
}

// descriptors hears of calls that change what a descriptor stands for or how it
// works. All take the descriptor as their first parameter, and fd_renumber one
// as its second.
type descriptors struct{}

var changesDescriptor = []string{"fd_close", "fd_renumber", "fd_fdstat_set_flags", "fd_fdstat_set_rights"}

func (d descriptors) NewFunctionListener(f api.FunctionDefinition) experimental.FunctionListener {
	if slices.ContainsFunc(f.ExportNames(), func(name string) bool { return slices.Contains(changesDescriptor, name) }) {
		return d
	}
	return nil
}

func (descriptors) Before(ctx context.Context, _ api.Module, f api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
	r := runOf(ctx)
	if r == nil {
		return
	}
	own := uint32(3 + len(r.instance.folders))
	fd, last := uint32(params[0]), uint32(params[len(f.ParamTypes())-1])
	if fd < own || len(f.ParamTypes()) == 2 && f.ExportNames()[0] == "fd_renumber" && last < own {
		r.instance.changed = true
	}
}

func (descriptors) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

func (descriptors) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}
