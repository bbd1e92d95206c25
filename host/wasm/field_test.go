package wasm_test

import (
	"slices"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/tool"
	"errand/host/wasm"
)

// TestModulesOfTheField: a module that was built for something else is refused with what
// it is or lacks, and the cure that fits it, in the same words before and by a call.
func TestModulesOfTheField(t *testing.T) {
	const goFunction = `(func (export "go"))`
	dylink := func(name string) []byte {
		content := append(append(uvarint(len(name)), name...), 0, 0)
		module := assemble(t, goFunction)
		return slices.Concat(module[:8], []byte{0}, uvarint(len(content)), content, module[8:])
	}
	for _, tt := range []struct {
		name   string
		module []byte
		want   string // in the message
		cure   string // in the hint
	}{
		{"a component's main module", assemble(t, `(import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32))) (func (export "wasi:cli/run@0.2.0#run") (result i32) (i32.const 0)) (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0))`), "part of a WASI 0.2 component", "wasm32-wasip1"},
		{"a component's adapter", assemble(t, `(import "wasi:cli/environment@0.2.3" "get-environment" (func (param i32))) `+goFunction), "part of a WASI 0.2 component", "wasm32-wasip1"},
		{"a reactor of wit-bindgen", assemble(t, `(import "[export]example:pkg/api" "[resource-drop]x" (func (param i32))) (func (export "cabi_post_run") (param i32)) `+goFunction), "part of a WASI 0.2 component", "wasm32-wasip1"},
		{"a module of the next component names", assemble(t, `(import "cm32p2|wasi:io/poll@0.2" "poll" (func (param i32))) `+goFunction), "part of a WASI 0.2 component", "wasm32-wasip1"},
		{"a command with functions of WASI 0.2", assemble(t, `(import "wasi:random/random@0.2.0" "get-random-u64" (func (result i64))) (func (export "_start"))`), `"wasi:random/random@0.2.0"`, "wasm32-wasip1"},
		{"threads by a shared memory", assemble(t, `(import "env" "memory" (memory 1 2 shared)) `+goFunction), `memory "env" "memory" shared`, "without threads"},
		{"threads of WASI", assemble(t, `(import "wasi" "thread-spawn" (func (param i32) (result i32))) `+goFunction), "thread-spawn", "without threads"},
		{"a memory of another module", assemble(t, `(import "env" "memory" (memory 1)) `+goFunction), `memory "env" "memory"`, "memory"},
		{"WASI of before preview 1", assemble(t, `(import "wasi_unstable" "fd_write" (func (param i32 i32 i32 i32) (result i32))) `+goFunction), "wasi_unstable", "before preview 1"},
		{"a shared library", dylink("dylink.0"), "dynamic linking", "without -shared"},
		{"an older shared library", dylink("dylink"), "dynamic linking", "without -shared"},
		{"position-independent code", assemble(t, `(import "env" "__memory_base" (global i32)) `+goFunction), "__memory_base", "without -shared"},
		{"a table of addresses", assemble(t, `(import "GOT.mem" "errno" (global (mut i32))) `+goFunction), "GOT.mem", "without -shared"},
		{"a global of another module", assemble(t, `(import "other" "g" (global i32)) `+goFunction), `global "other" "g"`, ""},
		{"JavaScript from Haskell", assemble(t, `(import "ghc_wasm_jsffi" "newJSVal" (func (param i32) (result i32))) `+goFunction), "ghc_wasm_jsffi", "foreign import javascript"},
		{"Javy's dynamic modules", assemble(t, `(import "javy_quickjs_provider_v3" "canonical_abi_realloc" (func (param i32 i32 i32 i32) (result i32))) (func (export "_start"))`), "javy_quickjs_provider_v3", "-C dynamic"},
		{"a filter of a proxy", assemble(t, `(import "env" "proxy_log" (func (param i32 i32 i32) (result i32))) `+goFunction), "proxy_log", "runs only there"},
		{"a module of waPC", assemble(t, `(import "wapc" "__guest_request" (func (param i32 i32))) `+goFunction), "wapc", "runs only there"},
		{"a function of a shop", assemble(t, `(import "shopify_function_v1" "shopify_function_input_get" (func (result i64))) `+goFunction), "shopify_function_v1", "runs only there"},
		{"a neural network", assemble(t, `(import "wasi_ephemeral_nn" "load" (func (param i32 i32 i32 i32 i32) (result i32))) `+goFunction), "wasi_ephemeral_nn", "runs only there"},
		{"exceptions", assemble(t, `(tag $e) (func (export "go") (try (do) (catch $e)))`), "exceptions", "-fno-exceptions"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := wasm.Module{Name: "m.wasm", Bytes: tt.module}
			_, foreseen := wasm.Foresee(t.Context(), m, 1)
			_, called := newHost(t, wasm.Options{}).Call(t.Context(), m, "go", nil, wasm.CallOptions{})
			for _, err := range []error{foreseen, called} {
				e := tool.AsError(err)
				if e == nil {
					t.Fatal("it is accepted")
				}
				if text, hint := i18n.English().Text(e.Message), i18n.English().Text(e.Hint); !strings.Contains(text, tt.want) || !strings.Contains(hint, tt.cure) {
					t.Errorf("%q (%q), want %q (%q)", text, hint, tt.want, tt.cure)
				}
			}
		})
	}
}

// TestLookAlikes: names that only resemble those of components or libraries are no reason
// to refuse a module.
func TestLookAlikes(t *testing.T) {
	for name, text := range map[string]string{
		"an Extism plugin with an allocator": extismImport + `(func (export "cabi_realloc")) (func (export "go"))`,
		"a command with an allocator":        `(func (export "cabi_realloc")) (func (export "_start")) (func (export "go"))`,
		"a function named like a host":       `(func (export "wasi")) (func (export "go"))`,
		"a custom section of another name":   `(func (export "go")) (func (export "dylink"))`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := newHost(t, wasm.Options{}).Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: assemble(t, text)}, "go", nil, wasm.CallOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
}
