package engine

import (
	"context"
	"math"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	wasi "github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// instantiateWASI makes WASI known to a runtime. It is wazero's but for three things:
// an exit leaves the module open, so that the instance can be put back and used
// again, what changes the descriptors that every call begins with is noted, and a
// listing of their folders goes on from nobody else's.
func instantiateWASI(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(wasi.ModuleName)
	wasi.NewFunctionExporter().ExportFunctions(b)
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) {
		panic(sys.NewExitError(uint32(stack[0])))
	}), []api.ValueType{api.ValueTypeI32}, nil).Export("proc_exit")
	_, err := b.Instantiate(experimental.WithFunctionListenerFactory(ctx, descriptors{}))
	return err
}

// descriptors hears of calls that change what a descriptor stands for: their
// parameters are descriptors. (Flags are no matter: none takes on a standard
// stream or a folder.) And of those that list a folder.
type descriptors struct{}

var changesDescriptor = []string{"fd_close", "fd_renumber"}

const listsFolder = "fd_readdir"

func (d descriptors) NewFunctionListener(f api.FunctionDefinition) experimental.FunctionListener {
	if slices.ContainsFunc(f.ExportNames(), func(name string) bool { return name == listsFolder || slices.Contains(changesDescriptor, name) }) {
		return d
	}
	return nil
}

func (descriptors) Before(ctx context.Context, _ api.Module, f api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
	r := runOf(ctx)
	if r == nil {
		return
	}
	begunWith := uint64(3 + len(r.instance.folders))
	if slices.Contains(f.ExportNames(), listsFolder) {
		if fd := uint64(uint32(params[0])); fd < begunWith {
			r.instance.list(fd, &params[3])
		}
		return
	}
	for _, fd := range params[:len(f.ParamTypes())] {
		if fd < begunWith {
			r.instance.changed = true
		}
	}
}

// list is told that a folder which every call begins with is listed from a cookie. Of
// what was listed last, wazero keeps a part that a later cookie goes on from: one that
// goes on from another call's is made one that is beyond all.
func (i *Instance) list(fd uint64, cookie *uint64) {
	switch {
	case *cookie == 0:
		if i.listed == nil {
			i.listed = map[uint64]bool{}
		}
		i.listed[fd] = true
	case !i.listed[fd]:
		*cookie = math.MaxUint64
	}
}

func (descriptors) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

func (descriptors) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}
