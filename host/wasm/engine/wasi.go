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

// instantiateWASI makes WASI known to a runtime. It is wazero's but for four things:
// an exit leaves the module open, so that the instance can be put back and used
// again, what changes the descriptors that every call begins with is noted, and a
// listing of their folders goes on from nobody else's, and paths have an end.
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
	name := f.ExportNames()[0]
	if lengths, ok := pathLengths[name]; ok {
		return paths(lengths)
	}
	if name == listsFolder || slices.Contains(changesDescriptor, name) {
		return d
	}
	return nil
}

// maxPath is the most bytes of a path: more than any system takes. What is longer is
// split and joined by the host, name by name, in memory that the guest doesn't have.
const maxPath = 32 << 10

// pathLengths are the functions that take paths, with the parameters that are their
// lengths. Each stands behind the path's own.
var pathLengths = map[string][]int{
	"path_create_directory": {2}, "path_filestat_get": {3}, "path_filestat_set_times": {3}, "path_link": {3, 6}, "path_open": {3},
	"path_readlink": {2}, "path_remove_directory": {2}, "path_rename": {2, 5}, "path_symlink": {1, 4}, "path_unlink_file": {2},
}

// paths hears of calls that take paths. One that is too long is put outside of the
// memory: the call then answers EFAULT, the one error that can be had this way.
type paths []int

func (p paths) Before(_ context.Context, _ api.Module, _ api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
	for _, n := range p {
		if uint32(params[n]) > maxPath {
			params[n-1], params[n] = math.MaxUint32, math.MaxUint32
		}
	}
}

func (paths) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

func (paths) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

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
