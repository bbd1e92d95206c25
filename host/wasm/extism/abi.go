package extism

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Module is the name that plugins import the functions from.
const Module = "extism:host/env"

// hostModule is what the kernel imports Go's half of the functions from.
const hostModule = "errand:extism"

//go:generate wat2wasm kernel.wat -o kernel.wasm

//go:embed kernel.wasm
var kernel []byte

// ABI is the ABI as one runtime knows it. It is good for several goroutines and
// lives as long as the runtime.
type ABI struct {
	runtime wazero.Runtime
	kernel  wazero.CompiledModule
}

// Register makes the ABI known to a runtime, once, and with it what plugins may
// import beside it. The kernel exports, and the runtime has, what is the host's
// own beside them: a module that imports anything but what [inspect.Offered]
// names must not be linked.
func Register(ctx context.Context, r wazero.Runtime, more ...Function) (*ABI, error) {
	byModule := map[string][]Function{hostModule: functions}
	for _, f := range slices.Concat(more, observed) {
		byModule[f.Module] = append(byModule[f.Module], f)
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
			return nil, fmt.Errorf("instantiate %s: %w", module, err)
		}
	}
	compiled, err := r.CompileModule(ctx, kernel)
	if err != nil {
		return nil, fmt.Errorf("compile the kernel: %w", err)
	}
	return &ABI{r, compiled}, nil
}

// MaxMemory is the most bytes that a kernel's memory can have.
const MaxMemory = 4<<30 - 64<<10

// New makes the kernel of one plugin instance, whose memory has limit bytes at
// most. Its memory is Go's own, whatever allocator ctx names for the plugin's.
func (a *ABI) New(ctx context.Context, limit uint64) (*Kernel, error) {
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(newHeap))
	m, err := a.runtime.InstantiateModule(ctx, a.kernel, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, fmt.Errorf("instantiate the kernel: %w", err)
	}
	k := &Kernel{
		module: m, memory: m.Memory(), limit: min(limit, MaxMemory),
		prepare: m.ExportedFunction("prepare"), alloc: m.ExportedFunction("alloc"),
		touched: m.ExportedGlobal("touched"), top: m.ExportedGlobal("top"), refused: m.ExportedGlobal("refused"),
		astray: m.ExportedGlobal("astray"), astrayAt: m.ExportedGlobal("astray_at"), astraySize: m.ExportedGlobal("astray_size"),
		output: span{m.ExportedGlobal("output"), m.ExportedGlobal("output_size")},
		fault:  span{m.ExportedGlobal("error"), m.ExportedGlobal("error_size")},
	}
	m.ExportedGlobal("limit").(api.MutableGlobal).Set(k.limit)
	return k, nil
}

// heap is a linear memory of Go's. It grows by just what is asked for; the
// kernel asks for twice as much each time.
type heap struct{ b []byte }

func newHeap(_, _ uint64) experimental.LinearMemory { return &heap{} }

func (h *heap) Reallocate(size uint64) []byte {
	if size > math.MaxInt {
		return nil
	}
	if size > uint64(len(h.b)) {
		b := make([]byte, size)
		fill(b, h.b)
		h.b = b
	}
	return h.b
}

func (h *heap) Free() { h.b = nil }
