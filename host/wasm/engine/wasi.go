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

// instantiateWASI adds WASI to a runtime. It changes wazero's implementation in
// six ways. An exit leaves the module open, so that the instance can be reset and
// used again. Arguments are those of the call. Changes to the initial descriptors are noted. A folder listing never
// continues that of another call. Paths have a maximum length.
// The times of a standard stream can't be set, and a stream keeps its descriptor.
func instantiateWASI(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(wasi.ModuleName)
	wasi.NewFunctionExporter().ExportFunctions(b)
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) {
		panic(sys.NewExitError(uint32(stack[0])))
	}), []api.ValueType{api.ValueTypeI32}, nil).Export("proc_exit")
	exportArguments(b)
	_, err := b.Instantiate(experimental.WithFunctionListenerFactory(ctx, descriptors{}))
	return err
}

// descriptors observes calls that change what a descriptor refers to; their
// parameters are descriptors. It also observes calls that list a folder. Flags
// don't matter, because standard streams and folders accept none.
type descriptors struct{}

var changesDescriptor = []string{"fd_close", movesDescriptor}

const listsFolder = "fd_readdir"

func (d descriptors) NewFunctionListener(f api.FunctionDefinition) experimental.FunctionListener {
	name := f.ExportNames()[0]
	if lengths, ok := pathLengths[name]; ok {
		return paths(lengths)
	}
	if name == setsTimes {
		return fileTimes{}
	}
	if name == listsFolder || slices.Contains(changesDescriptor, name) {
		return d
	}
	return nil
}

const (
	setsTimes       = "fd_filestat_set_times"
	movesDescriptor = "fd_renumber"
)

// isStream reports whether a parameter is the descriptor of a standard stream.
func isStream(fd uint64) bool { return uint32(fd) <= 2 }

// fileTimes observes calls that set the times of a descriptor. wazero looks for the folder
// of a standard stream, which has none. Before replaces the descriptor, so that the call
// returns EBADF.
type fileTimes struct{}

func (fileTimes) Before(_ context.Context, _ api.Module, _ api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
	if isStream(params[0]) {
		params[0] = math.MaxUint32
	}
}

func (fileTimes) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

func (fileTimes) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

// maxPath is the maximum length of a path in bytes, more than any system permits.
// The host would split and join a longer path in its own memory, outside the
// guest's limit.
const maxPath = 32 << 10

// pathLengths lists the functions that take paths, with the indexes of their
// length parameters. Each follows the path's address.
var pathLengths = map[string][]int{
	"path_create_directory": {2}, "path_filestat_get": {3}, "path_filestat_set_times": {3}, "path_link": {3, 6}, "path_open": {3},
	"path_readlink": {2}, "path_remove_directory": {2}, "path_rename": {2, 5}, "path_symlink": {1, 4}, "path_unlink_file": {2},
}

// paths observes calls with paths. It moves the address of a path that is too long
// outside the memory, so that the call returns EFAULT; an observer can't return
// another error.
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
	if slices.Contains(f.ExportNames(), movesDescriptor) && isStream(params[0]) {
		params[0] = math.MaxUint32
		return
	}
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

// list observes a listing of an initial folder from a cookie. wazero keeps part of
// the last listing, from which a later cookie continues. If that listing belongs
// to another call, list replaces the cookie with one past the end.
func (i *Instance) list(fd uint64, cookie *uint64) {
	switch {
	case *cookie == 0:
		if i.listedFolders == nil {
			i.listedFolders = map[uint64]bool{}
		}
		i.listedFolders[fd] = true
	case !i.listedFolders[fd]:
		*cookie = math.MaxUint64
	}
}

func (descriptors) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

func (descriptors) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}
