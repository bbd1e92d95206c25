package wasm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// assemble makes a module of its text, with every proposal that the assembler
// knows.
func assemble(t testing.TB, text string) []byte {
	t.Helper()
	in, out := filepath.Join(t.TempDir(), "in.wat"), filepath.Join(t.TempDir(), "out.wasm")
	must.Succeed(t, os.WriteFile(in, []byte("(module "+text+")"), 0o600))
	if said, err := exec.Command("wat2wasm", "--enable-all", "--no-check", in, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("wat2wasm, of the package wabt: %v\n%s", err, said)
	}
	return must.ReadFile(t, out)
}

// TestFeatures: what a module may use of WebAssembly is metered, and what it may
// not is refused in one way, before and by a call: with the reason and the flags
// that make compilers leave it out.
func TestFeatures(t *testing.T) {
	const header = "\x00asm\x01\x00\x00\x00"
	body := func(code string) string { // of a function without parameters
		return header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x05\x01\x01f\x00\x00\x0a" + string(rune(len(code)+4)) + "\x01" + string(rune(len(code)+2)) + "\x00" + code + "\x0b"
	}
	tests := []struct {
		name, text, code string
		problem, cure    string // empty: it runs
	}{
		{name: "tail calls", text: `(func $g (param i32) (if (local.get 0) (then (return_call $g (i32.sub (local.get 0) (i32.const 1)))))) (func (export "f") (call $g (i32.const 1000000)))`},
		{name: "extended constants", text: `(memory 1) (global i32 (i32.add (i32.const 1) (i32.mul (i32.const 2) (i32.const 3)))) (data (offset (i32.sub (i32.const 9) (i32.const 1))) "x") (func (export "f"))`},
		{name: "vectors", text: `(func (export "f") (drop (i32x4.add (v128.const i32x4 1 2 3 4) (v128.const i32x4 1 2 3 4))))`},
		{name: "references and bulk memory", text: `(table 2 externref) (memory 1) (func (export "f") (table.set 0 (i32.const 0) (ref.null extern)) (memory.fill (i32.const 0) (i32.const 1) (i32.const 9)))`},
		{name: "several values", text: `(func $two (result i32 i64) (i32.const 1) (i64.const 2)) (func (export "f") (call $two) (drop) (drop))`},

		{name: "shared memory", text: `(memory 1 1 shared) (func (export "f"))`, problem: "a memory that threads share", cure: "-pthread"},
		{name: "atomics", text: `(memory 1) (func (export "f") (drop (i32.atomic.load (i32.const 0))))`, problem: "atomic instructions", cure: "-matomics"},
		{name: "two memories", text: `(memory 1) (memory 1) (func (export "f"))`, problem: "more than one memory", cure: "-mmultimemory"},
		{name: "64 bits", text: `(memory i64 1) (func (export "f"))`, problem: "64 bits", cure: "-sMEMORY64"},
		{name: "exceptions", text: `(tag) (func (export "f") (throw 0))`, problem: "exceptions", cure: "-fno-exceptions"},
		{name: "exceptions of the older form", text: `(func (export "f") (try (do) (catch_all)))`, problem: "exceptions", cure: "-fno-exceptions"},
		{name: "relaxed vectors", code: body("\xfd\x80\x02"), problem: "vector instruction", cure: "-mrelaxed-simd"},
		{name: "call by a typed reference", code: body("\x14\x00"), problem: "typed function references", cure: "--disable-gc"},
		{name: "garbage collection", code: header + "\x01\x06\x02\x5f\x00\x60\x00\x00\x03\x02\x01\x01\x07\x05\x01\x01f\x00\x00\x0a\x04\x01\x02\x00\x0b", problem: "garbage collection", cure: "Kotlin"},
	}
	h := newHost(t, wasm.Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code := []byte(tt.code)
			if tt.text != "" {
				code = assemble(t, tt.text)
			}
			m := wasm.Module{Name: "m.wasm", Bytes: code}
			_, foreseen := wasm.Foresee(t.Context(), m, 1)
			out, err := h.Call(t.Context(), m, "f", nil, wasm.CallOptions{})
			if tt.problem == "" {
				if foreseen != nil || err != nil {
					t.Errorf("foreseen %v, called %v", foreseen, err)
				}
				if tt.name == "tail calls" && out.Fuel < 1_000_000 {
					t.Errorf("a million calls used %d of fuel", out.Fuel)
				}
				return
			}
			for _, err := range []error{foreseen, err} {
				wantError(t, err, tool.ToolUnavailable, "unsupported_module")
				e := tool.AsError(err)
				if !strings.Contains(i18n.English().Text(e.Message), tt.problem) || !strings.Contains(i18n.English().Text(e.Hint), tt.cure) {
					t.Errorf("%q (%q), want %q and %q in it", i18n.English().Text(e.Message), i18n.English().Text(e.Hint), tt.problem, tt.cure)
				}
			}
			if foreseen, err := tool.AsError(foreseen), tool.AsError(err); i18n.English().Text(foreseen.Message) != i18n.English().Text(err.Message) || !strings.HasPrefix(i18n.English().Text(err.Message), "m.wasm: ") {
				t.Errorf("foreseen %v, called %v", foreseen, err)
			}
		})
	}
}
