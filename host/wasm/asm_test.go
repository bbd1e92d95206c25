package wasm_test

import "encoding/binary"

// mod is a small module written by hand, for what no compiler emits.
type mod struct {
	imports []imported
	funcs   []fn
	memory  []uint64 // minimum and, where there is one, maximum, in pages
	table   []uint64 // the same, in entries
	start   int      // index of the start function + 1
}

type imported struct {
	module, name string
	typ          uint64
}

type fn struct {
	export string
	typ    uint64
	code   []byte // without the final end
}

// Function types.
const (
	nothing   = iota // () -> ()
	toI32            // () -> i32
	toI64            // () -> i64
	i64toI64         // (i64) -> i64
	i64only          // (i64) -> ()
	i64i64           // (i64, i64) -> ()
	i32only          // (i32) -> ()
	i32i32i32        // (i32, i32) -> i32
)

var types = "\x08" +
	"\x60\x00\x00" + "\x60\x00\x01\x7f" + "\x60\x00\x01\x7e" + "\x60\x01\x7e\x01\x7e" + "\x60\x01\x7e\x00" +
	"\x60\x02\x7e\x7e\x00" + "\x60\x01\x7f\x00" + "\x60\x02\x7f\x7f\x01\x7f"

func (m mod) bytes() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, body []byte) {
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	section(1, []byte(types))
	body := uvarint(len(m.imports))
	for _, i := range m.imports {
		body = append(body, name(i.module)...)
		body = append(body, name(i.name)...)
		body = append(body, 0)
		body = binary.AppendUvarint(body, i.typ)
	}
	section(2, body)
	body = uvarint(len(m.funcs))
	for _, f := range m.funcs {
		body = binary.AppendUvarint(body, f.typ)
	}
	section(3, body)
	if m.table != nil {
		section(4, append([]byte{1, 0x70}, bounds(m.table)...))
	}
	if m.memory != nil {
		section(5, append([]byte{1}, bounds(m.memory)...))
	}
	exports := 0
	body = nil
	for i, f := range m.funcs {
		if f.export != "" {
			exports++
			body = append(body, name(f.export)...)
			body = append(body, 0)
			body = append(body, uvarint(len(m.imports)+i)...)
		}
	}
	section(7, append(uvarint(exports), body...))
	if m.start > 0 {
		section(8, uvarint(m.start-1))
	}
	body = uvarint(len(m.funcs))
	for _, f := range m.funcs {
		code := append([]byte{0}, f.code...) // no locals
		code = append(code, 0x0b)
		body = append(body, uvarint(len(code))...)
		body = append(body, code...)
	}
	section(10, body)
	return out
}

func uvarint(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

func name(s string) []byte { return append(uvarint(len(s)), s...) }

func bounds(b []uint64) []byte {
	out := []byte{byte(len(b) - 1)}
	for _, n := range b {
		out = binary.AppendUvarint(out, n)
	}
	return out
}

// Code.
var (
	loopForever = []byte{0x03, 0x40, 0x0c, 0x00, 0x0b} // loop br 0 end
	unreachable = []byte{0x00}                         // unreachable
)
