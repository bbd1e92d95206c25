package meter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"errand/app/i18n"
	"errand/host/wasm/meter"
)

// TestGuestCannotNameAdditions checks that a module can't refer to the globals, functions, types
// and local variables that the rewriter adds, for example to set its own fuel. Such a module is
// invalid and must stay invalid.
func TestGuestCannotNameAdditions(t *testing.T) {
	tests := []struct {
		name  string
		count int // of the module's own
		text  string
	}{
		{"global.set", 1, `(global (mut i64) (i64.const 0)) (func (global.set %d (i64.const 1000000000)))`},
		{"global.set in a recursion", 1, `(global (mut i64) (i64.const 0)) (func $f (global.set %d (i64.const 1000000000)) (call $f))`},
		{"global.get", 1, `(global (mut i64) (i64.const 0)) (func (drop (global.get %d)))`},
		{"a global's value", 1, `(global (import "m" "g") i64) (global i64 (global.get %d))`},
		{"export of a global", 1, `(global (mut i64) (i64.const 0)) (export "g" (global %d))`},
		{"offset of data", 1, `(memory 1) (global i32 (i32.const 0)) (data (global.get %d) "x")`},
		{"call", 2, `(func) (func (call %d))`},
		{"call with an import", 2, `(import "m" "f" (func)) (func (call %d))`},
		{"return_call", 2, `(func) (func (return_call %d))`},
		{"ref.func", 1, `(func (drop (ref.func %d)))`},
		{"ref.func in a global", 1, `(func) (global funcref (ref.func %d))`},
		{"element", 1, `(table 4 funcref) (func) (elem (i32.const 0) func %d)`},
		{"element expression", 1, `(table 4 funcref) (func) (elem (i32.const 0) funcref (ref.func %d))`},
		{"passive element", 1, `(table 4 funcref) (func) (elem func %d)`},
		{"declared element", 1, `(table 4 funcref) (func) (elem declare func %d)`},
		{"export of a function", 1, `(func) (export "f" (func %d))`},
		{"start", 1, `(func) (start %d)`},
		{"local.get", 2, `(func $f (param i64) (local i64) (drop (local.get %d)) (call $f (i64.const 0)))`},
		{"local.set", 2, `(func $f (param i64) (local i64) (local.set %d (i64.const 1)) (call $f (i64.const 0)))`},
		{"local.tee", 2, `(func $f (param i64) (local i64) (drop (local.tee %d (i64.const 1))) (call $f (i64.const 0)))`},
		{"type of a function", 1, `(type (func)) (func (type %d))`},
		{"type of an import", 1, `(type (func)) (import "m" "f" (func (type %d)))`},
		{"type of an indirect call", 1, `(type (func)) (table 1 funcref) (func (type 0) (call_indirect (type %d) (i32.const 0)))`},
		{"type of an indirect tail call", 1, `(type (func)) (table 1 funcref) (func (type 0) (return_call_indirect (type %d) (i32.const 0)))`},
		{"label", 2, `(func (block (br %d)))`},
		{"label in a loop", 3, `(func (loop (loop (br %d))))`},
		{"label of a condition", 2, `(func (loop (br_if %d (i32.const 1))))`},
		{"label of a table", 2, `(func (loop (br_table 0 %d (i32.const 1))))`},
		{"table", 1, `(table 1 funcref) (func (drop (table.size %d)))`},
		{"memory.size without a memory", 0, `(func (drop (memory.size)) (drop (i32.const %d)))`},
		{"memory.grow without a memory", 0, `(func (drop (memory.grow (i32.const %d))))`},
		{"memory.fill without a memory", 0, `(func (memory.fill (i32.const 0) (i32.const 0) (i32.const %d)))`},
		{"memory.copy without a memory", 0, `(func (memory.copy (i32.const 0) (i32.const 0) (i32.const %d)))`},
	}
	ctx := context.Background()
	interpreter := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features))
	defer interpreter.Close(ctx)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if own := tt.count - 1; own >= 0 {
				if _, err := meter.Rewrite(wat(t, fmt.Sprintf("(module "+tt.text+")", own)), meter.Options{}); err != nil {
					t.Errorf("naming the last of its own: %v", err)
				}
			}
			for index := tt.count; index < tt.count+8; index++ {
				code := wat(t, fmt.Sprintf("(module "+tt.text+")", index))
				if _, err := interpreter.CompileModule(ctx, code); err == nil {
					t.Fatalf("%d: the module as it comes is valid", index)
				}
				if _, err := meter.Rewrite(code, meter.Options{}); !errors.Is(err, meter.ErrMalformed) {
					t.Errorf("%d: %v, want it to be malformed", index, err)
				}
			}
		})
	}
}

// TestBlockCannotNameAddedTypes checks the same for the types of blocks, which the assembler
// would encode differently.
func TestBlockCannotNameAddedTypes(t *testing.T) {
	for _, op := range []string{"\x02", "\x03", "\x04"} {
		for index := range 10 {
			code := "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x09\x01\x07\x00\x41\x00" + op + string(rune(index)) + "\x0b\x0b"
			_, err := meter.Rewrite([]byte(code), meter.Options{})
			if accepted := err == nil; accepted != (index == 0) {
				t.Errorf("a block %q of type %d of 1: %v", op, index, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	header := "\x00asm\x01\x00\x00\x00"
	tests := []struct {
		name string
		code string // or
		text string
		kind error
		want string
	}{
		{name: "empty", kind: meter.ErrMalformed, want: "does not begin"},
		{name: "component", code: "\x00asm\x0d\x00\x01\x00", kind: meter.ErrUnsupported, want: "other than a core module"},
		{name: "section cut", code: header + "\x01\x7f\x01", kind: meter.ErrMalformed, want: "ends in the middle"},
		{name: "section with a rest", code: header + "\x01\x02\x00\x00", kind: meter.ErrMalformed, want: "longer than its contents"},
		{name: "sections out of order", code: header + "\x03\x01\x00\x01\x01\x00", kind: meter.ErrMalformed, want: "out of order"},
		{name: "section twice", code: header + "\x01\x01\x00\x01\x01\x00", kind: meter.ErrMalformed, want: "out of order"},
		{name: "unknown section", code: header + "\x1f\x01\x00", kind: meter.ErrMalformed, want: "unknown"},
		{name: "count without entries", code: header + "\x01\x05\xff\xff\xff\xff\x0f", kind: meter.ErrMalformed, want: "ends in the middle"},
		{name: "endless number", code: header + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\x0f", kind: meter.ErrMalformed, want: "32 bits"},
		{name: "four billion labels", code: header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x0b\x01\x09\x00\x0e\xff\xff\xff\xff\x0f\x00\x0b", kind: meter.ErrMalformed},
		{name: "import of yield", text: `(import "errand:meter" "yield" (func (param i64) (result i64)))`, kind: meter.ErrForbidden, want: "only the host may use"},
		{name: "export of a name of ours", text: `(global (export "errand:meter.fuel") (mut i64) (i64.const 0))`, kind: meter.ErrForbidden, want: "the host's"},
		{name: "table too big", text: `(table 1048577 funcref)`, kind: meter.ErrForbidden, want: "1048577 entries"},
		{name: "too many locals", code: header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x0a\x01\x08\x01\xff\xff\xff\xff\x0f\x7f\x0b", kind: meter.ErrForbidden, want: "50000"},
		{name: "shared memory", text: `(memory 1 1 shared)`, kind: meter.ErrUnsupported, want: "threads"},
		{name: "atomics", text: `(memory 1 1) (func (drop (i32.atomic.load (i32.const 0))))`, kind: meter.ErrUnsupported, want: "atomic instructions"},
		{name: "two memories", text: `(memory 1) (memory 1)`, kind: meter.ErrUnsupported, want: "more than one memory"},
		{name: "exceptions", text: `(tag) (func (throw 0))`, kind: meter.ErrUnsupported, want: "exceptions"},
		{name: "try", text: `(func (try (do) (catch_all)))`, kind: meter.ErrUnsupported, want: "exceptions"},
		{name: "imported tag", text: `(import "m" "t" (tag))`, kind: meter.ErrUnsupported, want: "exceptions"},
		{name: "relaxed vectors", code: header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x08\x01\x06\x00\xfd\x80\x02\x00\x0b", kind: meter.ErrUnsupported, want: "beyond those of WebAssembly 2.0"},
		{name: "call by reference", code: header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x06\x01\x04\x00\x14\x00\x0b", kind: meter.ErrUnsupported, want: "typed function references"},
		{name: "structure types", code: header + "\x01\x04\x01\x5f\x00\x00", kind: meter.ErrUnsupported, want: "garbage collection"},
		{name: "memory of 64 bits", code: header + "\x05\x03\x01\x04\x01", kind: meter.ErrUnsupported, want: "64 bits"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code := []byte(tt.code)
			if tt.text != "" {
				code = wat(t, "(module "+tt.text+")")
			}
			_, err := meter.Rewrite(code, meter.Options{})
			var typed *meter.Error
			if !errors.Is(err, tt.kind) || !errors.As(err, &typed) || !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Errorf("%v, want %v with %q in it", err, tt.kind, tt.want)
			}
		})
	}
}

// TestEveryTruncation checks that every truncated module is refused, and that no changed byte
// makes Rewrite panic.
func TestEveryTruncation(t *testing.T) {
	code := wat(t, `(module (type (func (param i32) (result i32)))
		(import "m" "f" (func (type 0))) (table 2 4 funcref) (memory 1 2) (global $g (mut i32) (i32.const 1))
		(func (export "run") (type 0) (local i64) (block (loop (br_if 1 (local.get 0)) (br_table 0 1 2 (i32.const 0))))
			(memory.fill (i32.const 0) (i32.const 0) (i32.const 8)) (call_indirect (type 0) (local.get 0) (i32.const 0)))
		(elem (i32.const 0) func 0 1) (data (i32.const 3) "hello"))`)
	for n := range code {
		if m, err := meter.Rewrite(code[:n], meter.Options{}); err == nil && n > 8 && !bytes.Contains(m.Code, []byte("errand:meter")) {
			t.Errorf("cut at %d it is accepted and not metered", n)
		}
		for _, c := range []byte{0, 0x7f, 0x80, 0xff, code[n] ^ 1} {
			changed := bytes.Clone(code)
			changed[n] = c
			meter.Rewrite(changed, meter.Options{}) // must not panic
		}
	}
}
