package extism

import (
	"context"
	_ "embed"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/host/wasm/linear"
	"errand/planner/message"
)

// Module is the module from which plugins import the ABI's functions.
const Module = "extism:host/env"

// hostModule is the module from which the kernel imports the functions in Go.
const hostModule = "errand:extism"

//go:generate wat2wasm kernel.wat -o kernel.wasm

//go:embed kernel.wasm
var kernel []byte

// ABI is the Extism ABI in one runtime. It is safe for concurrent use and lives as
// long as the runtime.
type ABI struct {
	runtime wazero.Runtime
	kernel  wazero.CompiledModule
}

// Register adds the ABI and further host functions to a runtime. Call it once per
// runtime. Further modules are only added if isImported returns true for them, because
// each takes time. The kernel and the runtime also export internal functions, so only link
// a module whose imports [inspect.HostType] lists.
func Register(ctx context.Context, r wazero.Runtime, isImported func(module string) bool, more ...Function) (*ABI, error) {
	byModule := map[string][]Function{hostModule: functions}
	for _, f := range slices.Concat(more, observeFunctions) {
		if isImported(f.Module) {
			byModule[f.Module] = append(byModule[f.Module], f)
		}
	}
	for module, functions := range byModule {
		b := r.NewHostModuleBuilder(module)
		for _, f := range functions {
			b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
				if f.Call != nil {
					f.Call(callOf(ctx), stack)
				}
			}), f.Params, f.Results).Export(f.Name)
		}
		if _, err := b.Instantiate(ctx); err != nil {
			return nil, message.Error("plugin.instantiate", "module", module, "cause", err)
		}
	}
	compiled, err := r.CompileModule(ctx, kernel)
	if err != nil {
		return nil, message.Error("plugin.compile_kernel", "cause", err)
	}
	return &ABI{r, compiled}, nil
}

// MaxMemory is the maximum size of a kernel's memory in bytes.
const MaxMemory = 4<<30 - 64<<10

// New makes the kernel of one plugin instance with at most limit bytes of memory,
// whatever allocator ctx has for the plugin. A share also limits the memory. pause is
// called repeatedly while the memory grows and may panic to stop the plugin. share and
// pause may be nil.
func (a *ABI) New(ctx context.Context, limit uint64, share *linear.Share, pause func()) (*Kernel, error) {
	limit = min(limit, MaxMemory)
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory {
		return &memory{limit: limit, share: share, pause: pause}
	}))
	m, err := a.runtime.InstantiateModule(ctx, a.kernel, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, message.Error("plugin.instantiate_kernel", "cause", err)
	}
	k := &Kernel{
		module: m, memory: m.Memory(), limit: limit,
		prepare: m.ExportedFunction("prepare"), alloc: m.ExportedFunction("alloc"),
		touched: m.ExportedGlobal("touched"), top: m.ExportedGlobal("top"), refused: m.ExportedGlobal("refused"),
		misuse: m.ExportedGlobal("astray"), astrayAt: m.ExportedGlobal("astray_at"), astraySize: m.ExportedGlobal("astray_size"),
		output:    span{m.ExportedGlobal("output"), m.ExportedGlobal("output_size")},
		errorSpan: span{m.ExportedGlobal("error"), m.ExportedGlobal("error_size")},
	}
	m.ExportedGlobal("limit").(api.MutableGlobal).Set(k.limit)
	return k, nil
}
