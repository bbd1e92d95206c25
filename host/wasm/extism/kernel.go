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
	"errand/planner/message"
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

	touched api.Global // 0: the plugin has not used the memory, so the other globals need not be read
	top     api.Global
	refused api.Global

	misuse, astrayAt, astraySize api.Global // the first misuse
	output                       span
	errorSpan                    span // set by error_set
}

// span is a range of the memory in the kernel's globals.
type span struct{ at, size api.Global }

// Layout of the memory; see kernel.wat.
const (
	scratch    = 16 // the memory below is never used
	firstBlock = 32 // smallest handle
	header     = 8
	markUsed   = 0x6b65726e
	markFreed  = 0x66726565
)

// chunkSize is how many bytes are cleared or copied at a time, because the garbage
// collector and the stop of a call wait for each operation.
const chunkSize = 256 << 10

// fill copies b to the start of into, piece by piece.
func fill(into, b []byte) {
	for at := 0; at < len(b); {
		at += copy(into[at:], b[at:min(len(b), at+chunkSize)])
	}
}

// copyMemory copies b piece by piece and calls pause after each, unless pause is nil.
func copyMemory(b []byte, pause func()) []byte {
	c := make([]byte, len(b))
	for at := 0; at < len(b); {
		at += copy(c[at:], b[at:min(len(b), at+chunkSize)])
		if pause != nil {
			pause()
		}
	}
	return c
}

// Link returns the context for instantiating the plugin's module. The module gets
// the ABI's functions from this kernel. others are further instances by the names
// of their modules.
func (k *Kernel) Link(ctx context.Context, others map[string]api.Module) context.Context {
	return experimental.WithImportResolver(ctx, func(name string) api.Module {
		if name == Module {
			return k.module
		}
		if m, ok := others[name]; ok {
			return m
		}
		return nil // use the runtime's module
	})
}

// Begin prepares the kernel for a call within ctx: the memory holds only the
// input, and the host functions work for c. Call the plugin's functions with c, or
// a context derived from it. Start sections and initialisers also need a call.
func (k *Kernel) Begin(ctx context.Context, c *Call, input []byte) error {
	c.begin(ctx, k)
	at, err := k.rewind(uint64(len(input)), nil)
	if err != nil {
		return err
	}
	if at == 0 && len(input) > 0 {
		return c.limitError(tool.ValidationError, "input_too_large", "memory",
			message.New("plugin.input_above_memory_limit", "name", c.name(), "size", len(input), "limit", manifest.Size(k.limit)))
	}
	into, _ := k.slice(at, uint64(len(input)))
	for len(input) > 0 && len(into) > 0 {
		n := copy(into[:min(len(into), chunkSize)], input)
		into, input = into[n:], input[n:]
		if len(input) > 0 {
			if err := c.endedError(); err != nil {
				return err
			}
		}
	}
	return nil
}

// rewind frees all blocks and returns a block of n bytes for the input, or 0 if n
// is 0. It zeroes only the used memory, in pieces, because the garbage collector
// waits for each. pause may stop it between pieces; nil means never.
func (k *Kernel) rewind(n uint64, pause func() error) (uint64, error) {
	if n == 0 && k.touched.Get() == 0 {
		if stored, _ := k.memory.ReadUint64Le(scratch); stored != 0 { // a store there needs no block
			k.memory.WriteUint64Le(scratch, 0)
		}
		return 0, nil
	}
	if used, _ := k.slice(scratch, k.top.Get()-scratch); used != nil {
		for len(used) > 0 {
			n := min(len(used), chunkSize)
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
	// The kernel has no loop, so it needs no deadline.
	if err := k.prepare.CallWithStack(context.Background(), k.stack[:]); err != nil {
		return 0, tool.NewError(tool.ExecutionError, "host_fault", message.New("plugin.kernel_broke", "cause", err))
	}
	return k.stack[0], nil
}

// Close releases the kernel. Close the plugin's module first.
func (k *Kernel) Close() error { return k.module.Close(context.Background()) }

// Size returns the size of the memory in bytes. It never shrinks, so replace an
// instance with an unusually large kernel; see [Kernel.HasGrown].
func (k *Kernel) Size() uint64 { return uint64(k.memory.Size()) }

// keptSize is the maximum kernel size of an idle instance.
const keptSize = 4 << 20

// HasGrown reports whether the memory is too large to keep the instance for another
// call.
func (k *Kernel) HasGrown() bool { return k.Size() > keptSize }

// HasNoOutput reports whether the plugin left neither output nor an error and was
// refused no memory.
func (k *Kernel) HasNoOutput() bool { return k.touched.Get() == 0 }

// OutputLen returns the length of the output in bytes.
func (k *Kernel) OutputLen() uint64 { return k.output.size.Get() }

// Output returns a copy of the plugin's output, or nil if there is none.
func (k *Kernel) Output() []byte {
	b, _ := k.slice(k.output.at.Get(), k.output.size.Get())
	if len(b) == 0 {
		return nil
	}
	return copyMemory(b, nil)
}

// ErrorLen returns the length of the error in bytes.
func (k *Kernel) ErrorLen() uint64 { return k.errorSpan.size.Get() }

// HasError reports whether the plugin set an error. Its text may be empty.
func (k *Kernel) HasError() bool { return k.errorSpan.at.Get() != 0 }

// Error returns the plugin's error text, or "".
func (k *Kernel) Error() string { return k.errorStart(math.MaxInt) }

// ErrorMessage returns a message with at most n bytes of [Kernel.Error]. It is
// zero if the plugin set no error.
func (k *Kernel) ErrorMessage(n int) message.Message {
	if !k.HasError() {
		return message.Message{}
	}
	return ErrorMessage(k.errorStart(n))
}

// ErrorMessage returns the message of a plugin that set an error with this text, of
// which it takes [stack.MaxText] bytes.
func ErrorMessage(text string) message.Message {
	if text == "" {
		return message.New("plugin.failed_without_reason")
	}
	return message.Verbatim(stack.Clip(text, stack.MaxText))
}

func (k *Kernel) errorStart(n int) string {
	if !k.HasError() {
		return ""
	}
	b, _ := k.slice(k.errorSpan.at.Get(), k.errorSpan.size.Get())
	return stack.Clip(b, n)
}

// IsExhausted reports whether the plugin requested more memory than its limit.
func (k *Kernel) IsExhausted() bool { return k.refused.Get() != 0 }

var errNoBlock = errors.New("no block")

// slice returns a view of a range of the memory. It is valid until the memory
// grows.
func (k *Kernel) slice(at, n uint64) ([]byte, bool) {
	if at > MaxMemory || n > MaxMemory {
		return nil, false
	}
	return k.memory.Read(uint32(at), uint32(n))
}

// block returns the bytes of the block at a handle, freed or not. Handle 0 is
// empty.
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
	// The plugin may have overwritten the header, so its length is not trusted.
	b, ok := k.slice(at, min(uint64(binary.LittleEndian.Uint32(h)), top-at))
	if !ok {
		return nil, errNoBlock
	}
	return b, nil
}

// free marks a block as free, like the ABI's free, if the handle is valid.
func (k *Kernel) free(at uint64) {
	if at < firstBlock || at >= k.top.Get() {
		return
	}
	if h, ok := k.slice(at-header, header); ok && binary.LittleEndian.Uint32(h[4:])^uint32(at) == markUsed {
		binary.LittleEndian.PutUint32(h[4:], uint32(at)^markFreed)
	}
}

// write makes a block with b, writeString one with s. They return 0 if it is empty
// or if it exceeds the limit.
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
		panic(tool.NewError(tool.ExecutionError, "host_fault", message.New("plugin.kernel_broke", "cause", err)))
	}
	return k.stack[0]
}
