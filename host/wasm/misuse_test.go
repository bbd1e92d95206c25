package wasm_test

import (
	"bytes"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/wasm"
)

// TestAstray: what Extism's ABI passes over in silence is done as its Go host does
// it, with the same output and code, and told in the log.
func TestAstray(t *testing.T) {
	module := wasm.Module{Name: "astray.wasm", Bytes: assemble(t, `
		(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
		(import "extism:host/env" "load_u8" (func $load8 (param i64) (result i32)))
		(import "extism:host/env" "load_u64" (func $load (param i64) (result i64)))
		(import "extism:host/env" "store_u8" (func $store8 (param i64 i32)))
		(import "extism:host/env" "store_u64" (func $store (param i64 i64)))
		(import "extism:host/env" "input_set" (func $input (param i64 i64)))
		(import "extism:host/env" "output_set" (func $output (param i64 i64)))
		(func $hi (result i64) (local $at i64)
			(local.set $at (call $alloc (i64.const 8)))
			(call $store (local.get $at) (i64.const 0x6867666564636261))
			(call $output (local.get $at) (i64.const 8))
			(local.get $at))
		(func (export "plain") (drop (call $hi)))
		(func (export "output") (drop (call $hi)) (call $output (i64.const 1000000000000) (i64.const 10)))
		(func (export "output_too_long") (call $output (call $hi) (i64.const 1000000000)))
		(func (export "output_less_than_none") (call $output (call $hi) (i64.const -1)))
		(func (export "input") (drop (call $hi)) (call $input (i64.const 1000000000000) (i64.const 10)))
		(func (export "alloc") (drop (call $hi)) (drop (call $alloc (i64.const -1))))
		(func (export "store") (drop (call $hi)) (call $store8 (i64.const 1000000000000) (i32.const 1)))
		(func (export "load") (drop (call $hi)) (drop (call $load8 (i64.const 1000000000000))))
		(func (export "end") (call $store (call $alloc (i64.const 8)) (i64.shr_u (call $load (i64.add (call $hi) (i64.const 3))) (i64.const 8))))`)}
	tests := []struct {
		function, log string
		same          bool // as the Go host answers
	}{
		{"plain", "", true},
		{"end", "", true},
		{"output", "warn: output_set(1000000000000, 10) is outside its memory: the output is unchanged", true},
		{"output_too_long", "warn: output_set(32, 1000000000) is outside its memory: the output is unchanged", true},
		// There the end of the range wraps around, and the output is empty.
		{"output_less_than_none", "warn: output_set(32, 18446744073709551615) is outside its memory: the output is unchanged", false},
		{"input", "warn: input_set(1000000000000, 10) is outside its memory: the input is unchanged", true},
		{"alloc", "warn: alloc(18446744073709551615) returned 0: its memory limit is 256 MiB", true},
		{"store", "warn: a store of 1 byte at 1000000000000 is outside its memory: nothing was stored", true},
		{"load", "warn: a load of 1 byte at 1000000000000 is outside its memory: it read zeros", true},
	}
	h := newHost(t, wasm.Options{})
	theirs := theirHost(t, module, nil)
	for _, tt := range tests {
		t.Run(tt.function, func(t *testing.T) {
			out, err := h.Call(t.Context(), module, tt.function, nil, wasm.CallOptions{})
			if err != nil || out.ExitCode != 0 || string(out.Data) != "abcdefgh" {
				t.Errorf("it answered %q, code %d (%v)", out.Data, out.ExitCode, err)
			}
			var log []string
			for _, line := range out.Logs {
				log = append(log, line.Level+": "+i18n.English().Text(line.Message))
			}
			if got := strings.Join(log, "\n"); got != tt.log {
				t.Errorf("log %q, want %q", got, tt.log)
			}
			want := theirs(tt.function, nil)
			t.Logf("the Go host: %q, code %d, %s", want.output, want.code, want.message)
			if same := !want.failed && bytes.Equal(out.Data, want.output); tt.same && !same {
				t.Errorf("the Go host answers %q, code %d (%s)", want.output, want.code, want.message)
			}
		})
	}
}
