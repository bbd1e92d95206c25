package extism_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/tetratelabs/wazero"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/planner/message"
)

// model is a simple second implementation of the ABI's memory functions. Blocks follow one
// another, each with its length and a mark before it.
type model struct {
	limit uint64
	mem   []byte // bytes in use
	input [2]uint64
	out   [2]uint64
	fault uint64
	why   uint64 // bytes of the error when it was set
	fill  bool   // an alloc was refused
}

const used, freed = 0x6b65726e, 0x66726565

func (m *model) reset() { *m = model{limit: m.limit, mem: make([]byte, 24)} }

func (m *model) alloc(n uint64) uint64 {
	at := uint64(len(m.mem)) + 8
	switch {
	case n == 0:
		return 0
	case n > m.limit || at+n > m.limit:
		m.fill = true
		return 0
	}
	h := binary.LittleEndian.AppendUint32(nil, uint32(n))
	h = binary.LittleEndian.AppendUint32(h, uint32(at)^used)
	m.mem = append(append(m.mem, h...), make([]byte, (n+7)&^7)...)
	return at
}

func (m *model) length(at uint64) uint64 {
	if at < 32 || at >= uint64(len(m.mem)) || binary.LittleEndian.Uint32(m.mem[at-4:])^uint32(at) != used {
		return 0
	}
	return uint64(binary.LittleEndian.Uint32(m.mem[at-8:]))
}

func (m *model) free(at uint64) {
	if m.length(at) > 0 || at >= 32 && at < uint64(len(m.mem)) && binary.LittleEndian.Uint32(m.mem[at-4:])^uint32(at) == used {
		binary.LittleEndian.PutUint32(m.mem[at-4:], uint32(at)^freed)
		if at == m.input[0] {
			m.input[1] = 0
		}
	}
}

// bytes returns n bytes from an address, or nil if some of them are not in use.
func (m *model) bytes(at, n uint64) []byte {
	if top := uint64(len(m.mem)); at > top || n > top-at {
		return nil
	}
	return m.mem[at : at+n : at+n]
}

// word returns bytes that may be loaded and stored.
func (m *model) word(at, n uint64) []byte {
	if at < 16 {
		return nil
	}
	return m.bytes(at, n)
}

func (m *model) in(i, n uint64) []byte {
	if i > m.input[1] || n > m.input[1]-i {
		return nil
	}
	return m.bytes(m.input[0]+i, n)
}

func number(b []byte) uint64 {
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// call runs a function of the ABI.
func (m *model) call(name string, a, b uint64) uint64 {
	switch name {
	case "alloc":
		return m.alloc(a)
	case "free":
		m.free(a)
	case "length", "length_unsafe":
		return m.length(a)
	case "load_u8":
		return number(m.word(a, 1))
	case "load_u64":
		if top := uint64(len(m.mem)); a >= 16 && a < top {
			return number(m.mem[a:min(a+8, top)])
		}
	case "store_u8":
		copy(m.word(a, 1), []byte{byte(b)})
	case "store_u64":
		copy(m.word(a, 8), binary.LittleEndian.AppendUint64(nil, b))
	case "input_offset":
		return m.input[0]
	case "input_length":
		return m.input[1]
	case "input_load_u8":
		return number(m.in(a, 1))
	case "input_load_u64":
		return number(m.in(a, 8))
	case "input_set":
		if m.bytes(a, b) != nil {
			m.input = [2]uint64{a, b}
		}
	case "output_offset":
		return m.out[0]
	case "output_length":
		return m.out[1]
	case "output_set":
		if m.bytes(a, b) != nil {
			m.out = [2]uint64{a, b}
		}
	case "error_get":
		return m.fault
	case "error_set":
		m.fault, m.why = a, m.length(a)
	case "reset":
		m.reset()
	}
	return 0
}

// maxScript is the maximum number of bytes that a fuzz target uses: three for each call.
const maxScript = 600

// modelled are the functions of the model.
var modelled = []string{
	"alloc", "free", "length", "length_unsafe", "load_u8", "load_u64", "store_u8", "store_u64",
	"input_offset", "input_length", "input_load_u8", "input_load_u64", "input_set",
	"output_offset", "output_length", "output_set", "error_get", "error_set", "reset",
}

// FuzzKernel checks that the kernel does the same as the model for any sequence of functions,
// over several calls of one instance.
func FuzzKernel(f *testing.F) {
	f.Add([]byte{0, 0, 30, 6, 200, 65, 4, 200, 0, 15, 200, 5, 255, 0, 3})
	f.Add([]byte{0, 0, 16, 1, 200, 0, 2, 200, 0, 17, 200, 0, 1, 0, 1, 9, 0, 0})
	f.Add([]byte{0, 0, 250, 0, 0, 251, 7, 200, 255, 18, 0, 0, 5, 200, 0})
	f.Add([]byte{12, 200, 9, 0, 0, 9, 12, 201, 3, 10, 0, 5, 11, 0, 1})
	f.Add([]byte{0, 0, 9, 6, 196, 1, 2, 200, 0, 1, 200, 0, 15, 196, 4})
	w := newWorld(f, wazero.NewRuntimeConfigInterpreter())
	f.Fuzz(func(t *testing.T, script []byte) {
		m := &model{limit: 150_000}
		script = script[:min(len(script), maxScript)]
		m.reset()
		g := w.guest(t, &extism.Call{}, m.limit, "")
		handles := []uint64{0}
		last := func() uint64 { return handles[len(handles)-1] }
		operand := func(b byte) uint64 {
			special := []uint64{1 << 16, 1<<16 - 1, 1 << 17, 1 << 32, 1<<32 + 32, 1 << 63, ^uint64(0), ^uint64(0) - 7}
			switch {
			case b >= 248:
				return special[b-248]
			case b >= 190 && b < 220: // about the last block
				return last() + uint64(b) - 200
			case b >= 220: // an earlier one
				return handles[int(b)%len(handles)]
			}
			return uint64(b)
		}
		for ; len(script) >= 3; script = script[3:] {
			if script[0] == 255 { // the next call, with an input
				m.reset()
				input := make([]byte, int(script[1]))
				for i := range input {
					input[i] = script[2] + byte(i)
				}
				at := m.alloc(uint64(len(input)))
				copy(m.bytes(at, uint64(len(input))), input)
				m.input = [2]uint64{at, uint64(len(input))}
				must.Succeed(t, g.k.Begin(t.Context(), g.c, input))
				continue
			}
			name := modelled[int(script[0])%len(modelled)]
			params := []uint64{operand(script[1]), operand(script[2])}[:len(g.env.ExportedFunction(name).Definition().ParamTypes())]
			if name == "store_u8" {
				params[1] = uint64(uint32(params[1]))
			}
			want := m.call(name, append(params, 0, 0)[0], append(params, 0, 0)[1])
			if got := g.call(name, params...); got != want {
				t.Fatalf("%s%v = %d, the model says %d", name, params, got, want)
			}
			if name == "alloc" && want != 0 {
				handles = append(handles, want)
			}
		}
		if got, want := string(g.k.Output()), string(m.bytes(m.out[0], m.out[1])); got != want {
			t.Fatalf("output is %q, the model says %q", got, want)
		}
		why := m.bytes(m.fault, m.why) // nil if a plugin overwrote the length
		if got := g.k.Error(); g.k.HasError() != (m.fault != 0) || len(why) > 0 && got != valid(string(why)) {
			t.Fatalf("error is %q, the model says %d %q", got, m.fault, why)
		}
		if g.k.IsExhausted() != m.fill {
			t.Fatalf("Exhausted is %v, the model says %v", g.k.IsExhausted(), m.fill)
		}
	})
}

// FuzzCalls checks that no sequence of calls breaks the host or grows the memory beyond its
// limit.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{0, 16, 1, 8, 5, 8, 12, 0, 30, 8})
	f.Add([]byte("\x13\x08\x0a\x16\x08\x08\xff\xff\xff"))
	w := newWorld(f, wazero.NewRuntimeConfigInterpreter())
	f.Fuzz(func(t *testing.T, script []byte) {
		g := w.guest(t, &extism.Call{Log: func(extism.Level, message.Message) {}}, 64<<10, "input")
		values := []uint64{0, 1, 7, 8, 9, 16, 1 << 16, 1<<16 - 1, 1 << 32, 1 << 63, ^uint64(0)}
		script = script[:min(len(script), maxScript)]
		for i := 0; i+2 < len(script); i += 3 {
			name := names[int(script[i])%len(names)]
			params := make([]uint64, len(g.env.ExportedFunction(name).Definition().ParamTypes()))
			for p := range params {
				b := script[i+1+p]
				if params[p] = uint64(b); int(b) >= 256-len(values) {
					params[p] = values[255-int(b)]
				}
			}
			_, err := g.try(name, params...)
			var e *tool.Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%s%v: %v", name, params, err)
			}
			if n := g.call("memory_bytes"); n > 64<<10 {
				t.Fatalf("memory of %d bytes", n)
			}
		}
		g.k.Output()
		_ = g.k.Error()
	})
}
