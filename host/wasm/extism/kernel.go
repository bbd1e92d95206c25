package extism

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/stack"
)

// Kernel is the memory that one plugin instance shares with the host, and lives
// as long as the instance. It serves one call at a time, from [Kernel.Begin] to
// the reading of its outcome.
type Kernel struct {
	module  api.Module
	memory  api.Memory
	limit   uint64
	prepare api.Function
	alloc   api.Function
	stack   [1]uint64 // of both, which never run at the same time

	touched api.Global // 0: nothing is allocated and nothing was said, so that the others needn't be asked
	top     api.Global
	refused api.Global

	astray, astrayAt, astraySize api.Global // the first use that went astray
	output                       span
	fault                        span // what error_set named
}

// span is a range of the memory, as the kernel keeps it.
type span struct{ at, size api.Global }

// Layout of the memory; see kernel.wat.
const (
	scratch    = 16 // below lies nothing, ever
	firstBlock = 32 // least handle
	header     = 8
	markUsed   = 0x6b65726e
	markFreed  = 0x66726565
)

// piece is how many bytes are cleared or copied at once: the collector waits for
// each.
const piece = 1 << 20

// fill copies b to the beginning of into, piece by piece.
func fill(into, b []byte) {
	for at := 0; at < len(b); {
		at += copy(into[at:], b[at:min(len(b), at+piece)])
	}
}

// copied is a copy of b, made piece by piece, with a pause after each where there
// is one.
func copied(b []byte, pause func()) []byte {
	c := make([]byte, len(b))
	for at := 0; at < len(b); {
		at += copy(c[at:], b[at:min(len(b), at+piece)])
		if pause != nil {
			pause()
		}
	}
	return c
}

// Link is ctx for the instantiation of the plugin's module, which then gets the
// ABI's functions from this kernel, and those of other modules of the plugin, by
// the names it imports them under, from their instances.
func (k *Kernel) Link(ctx context.Context, others map[string]api.Module) context.Context {
	return experimental.WithImportResolver(ctx, func(name string) api.Module {
		if name == Module {
			return k.module
		}
		if m, ok := others[name]; ok {
			return m
		}
		return nil // the runtime's own
	})
}

// Begin makes ready for a call within ctx: the memory holds just the input, and
// the functions do their work for c. The plugin's functions are then called with
// c as their context, or with one made of it. A start section and an initialiser
// are run as part of a call, too.
func (k *Kernel) Begin(ctx context.Context, c *Call, input []byte) error {
	c.begin(ctx, k)
	at, err := k.rewind(uint64(len(input)), nil)
	if err != nil {
		return err
	}
	if at == 0 && len(input) > 0 {
		return c.exceeded(tool.ValidationError, "input_too_large", "memory",
			"can't take an input of %d bytes: its memory limit is %s", len(input), manifest.Size(k.limit))
	}
	if into, ok := k.slice(at, uint64(len(input))); ok {
		fill(into, input)
	}
	return nil
}

// rewind forgets everything and answers a block of n bytes for the input, 0 for
// none. It zeroes what was in use and nothing else, in pieces, because the
// collector waits for each; between them pause may end it, where there is one.
func (k *Kernel) rewind(n uint64, pause func() error) (uint64, error) {
	if n == 0 && k.touched.Get() == 0 {
		if left, _ := k.memory.ReadUint64Le(scratch); left != 0 { // stores there need no block
			k.memory.WriteUint64Le(scratch, 0)
		}
		return 0, nil
	}
	if used, _ := k.slice(scratch, k.top.Get()-scratch); used != nil {
		for len(used) > 0 {
			n := min(len(used), piece)
			clear(used[:n])
			used = used[n:]
			if pause == nil || len(used) == 0 {
				continue
			}
			if err := pause(); err != nil {
				return 0, err
			}
		}
	}
	k.stack[0] = n
	// The kernel has no loop that a deadline would have to end.
	if err := k.prepare.CallWithStack(context.Background(), k.stack[:]); err != nil {
		return 0, tool.Errorf(tool.ExecutionError, "host_fault", "the kernel broke: %v", err)
	}
	return k.stack[0], nil
}

// Close releases the kernel, after the plugin's module was closed.
func (k *Kernel) Close() error { return k.module.Close(context.Background()) }

// Size is how many bytes the memory takes now. It never shrinks, so an instance
// whose kernel has grown far beyond what its calls mostly need is best replaced;
// see [Kernel.Grown].
func (k *Kernel) Size() uint64 { return uint64(k.memory.Size()) }

// keptSize is as much as an idle instance's kernel may hold.
const keptSize = 4 << 20

// Grown reports whether a call made the memory so big that the instance should
// not be kept for another.
func (k *Kernel) Grown() bool { return k.Size() > keptSize }

// Silent reports whether the plugin left nothing to be read: no output, no error.
// It was then refused no memory either.
func (k *Kernel) Silent() bool { return k.touched.Get() == 0 }

// OutputLen is the length of the output in bytes.
func (k *Kernel) OutputLen() uint64 { return k.output.size.Get() }

// Output is a copy of what the plugin left as its output, nil for none.
func (k *Kernel) Output() []byte {
	b, _ := k.slice(k.output.at.Get(), k.output.size.Get())
	if len(b) == 0 {
		return nil
	}
	return copied(b, nil)
}

// ErrorLen is the length of the error in bytes.
func (k *Kernel) ErrorLen() uint64 { return k.fault.size.Get() }

// Error is what the plugin left as its error, empty for none.
func (k *Kernel) Error() string { return k.ErrorStart(math.MaxInt) }

// ErrorStart is [Kernel.Error], cut after n bytes.
func (k *Kernel) ErrorStart(n int) string {
	at := k.fault.at.Get()
	if at == 0 {
		return ""
	}
	b, _ := k.slice(at, k.fault.size.Get())
	if len(b) == 0 {
		return "the plugin failed and gave no reason"
	}
	return stack.Clip(b, n)
}

// Exhausted reports whether the plugin asked for more memory than it may have.
func (k *Kernel) Exhausted() bool { return k.refused.Get() != 0 }

var errNoBlock = errors.New("no block")

// slice answers a range of the memory, a view that holds until it next grows.
func (k *Kernel) slice(at, n uint64) ([]byte, bool) {
	if at > MaxMemory || n > MaxMemory {
		return nil, false
	}
	return k.memory.Read(uint32(at), uint32(n))
}

// block answers the bytes of the block that starts at a handle, freed or not;
// those of 0 are none.
func (k *Kernel) block(at uint64) ([]byte, error) {
	if at == 0 {
		return nil, nil
	}
	top := k.top.Get()
	if at < firstBlock || at >= top {
		return nil, errNoBlock
	}
	h, _ := k.slice(at-header, header)
	mark := binary.LittleEndian.Uint32(h[4:]) ^ uint32(at)
	if mark != markUsed && mark != markFreed {
		return nil, errNoBlock
	}
	// A plugin may have written over the header: the length is its word alone.
	b, ok := k.slice(at, min(uint64(binary.LittleEndian.Uint32(h)), top-at))
	if !ok {
		return nil, errNoBlock
	}
	return b, nil
}

// free marks a block as the ABI's free does, where there is one.
func (k *Kernel) free(at uint64) {
	if at < firstBlock || at >= k.top.Get() {
		return
	}
	if h, ok := k.slice(at-header, header); ok && binary.LittleEndian.Uint32(h[4:])^uint32(at) == markUsed {
		binary.LittleEndian.PutUint32(h[4:], uint32(at)^markFreed)
	}
}

// write makes a block that holds b, writeString one that holds s. They answer 0
// for an empty one and where the limit is reached.
func (k *Kernel) write(b []byte) uint64 {
	at := k.make(len(b))
	if at != 0 {
		if into, ok := k.slice(at, uint64(len(b))); ok {
			fill(into, b)
		}
	}
	return at
}

func (k *Kernel) writeString(s string) uint64 {
	at := k.make(len(s))
	if at != 0 {
		k.memory.WriteString(uint32(at), s)
	}
	return at
}

func (k *Kernel) make(n int) uint64 {
	if n == 0 {
		return 0
	}
	k.stack[0] = uint64(n)
	if err := k.alloc.CallWithStack(context.Background(), k.stack[:]); err != nil {
		panic(tool.Errorf(tool.ExecutionError, "host_fault", "the kernel broke: %v", err))
	}
	return k.stack[0]
}
