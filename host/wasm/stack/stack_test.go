package stack_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/host/wasm/stack"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, message string
		reason        string
		text          string
	}{
		{
			"a panic in Rust, its machinery left out, the host's frames too",
			"wasm error: unreachable\nwasm stack trace:\n\t.rust_panic(i32,i32)\n\t._ZN4core9panicking5panic17h0123456789abcdefE(i32,i32,i32)\n" +
				"\t._ZN7greeter5greet17hfedcba9876543210E(i32) i32\n\t\t0x1234: src/lib.rs:12:5 (inlined)\n\t\t0x1234: src/lib.rs:30:9\n\textism:host/env.alloc(i64) i64\n\t.greet.command_export() i32",
			"unreachable",
			"at greeter::greet (src/lib.rs:12:5 < src/lib.rs:30:9)\nat greet",
		},
		{
			"Rust's newer names",
			"wasm error: integer divide by zero\nwasm stack trace:\n\t._RNvCs1234_7mycrate3foo(i64)\n\t._RINvNtC3std3mem8align_ofdE()",
			"integer divide by zero",
			"at mycrate::foo\nat std::mem::align_of::<f64>",
		},
		{
			"Go's names stay, and a function without one is a number",
			"wasm error: out of bounds memory access\nwasm stack trace:\n\t.main.(*T).Method(i32) i32\n\t.$31(i32)\n\t.wasm_export_greet() i32",
			"out of bounds memory access",
			"at main.(*T).Method\nat $31\nat wasm_export_greet",
		},
		{
			"AssemblyScript's abort, as its templates have it",
			"wasm error: unreachable\nwasm stack trace:\n\t.assembly/host/abort(i32,i32,i32,i32)\n\t.assembly/index/greet() i32",
			"unreachable",
			"at assembly/index/greet",
		},
		{
			"a recursion",
			"wasm error: stack overflow\nwasm stack trace:\n\t.f(i32) i32\n\t.f(i32) i32\n\t.f(i32) i32\n\t... maybe followed by omitted frames",
			"stack overflow",
			"at f, which called itself\n… and those that called it",
		},
		{
			"nothing but machinery is better than nothing",
			"wasm error: unreachable\nwasm stack trace:\n\t.abort()",
			"unreachable",
			"at abort",
		},
		{
			"a panic of the host",
			"boom (recovered by wazero)\nwasm stack trace:\n\t.f()\n\nGo runtime stack trace:\ngoroutine 1 [running]:\n.not.mine()",
			"boom",
			"at f",
		},
		{"no trap", "something else", "something else", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			trap := stack.Parse(tt.message)
			if trap.Reason != tt.reason {
				t.Errorf("reason is %q, want %q", trap.Reason, tt.reason)
			}
			if diff := cmp.Diff(tt.text, strings.Join(trap.Text(10), "\n")); diff != "" {
				t.Errorf("stack (-want +got):\n%s", diff)
			}
		})
	}
	long := stack.Parse("wasm error: unreachable\nwasm stack trace:\n\t.a()\n\t.b()\n\t.c()\n\t.d()")
	if got := strings.Join(long.Text(2), "\n"); got != "at a\nat b\n… and those that called it" {
		t.Errorf("cut: %q", got)
	}
}

func TestDemangle(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"Rust before 2021", "_ZN44_$LT$$RF$T$u20$as$u20$core..fmt..Display$GT$3fmt17hecf3e2b0490f9e5cE", "<&T as core::fmt::Display>::fmt"},
		{"with a linker's suffix", "_ZN4core3ops8function6FnOnce9call_once17hc5bf739be31f8f60E.llvm.2107114772861559260", "core::ops::function::FnOnce::call_once"},
		{"C++", "_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int, std::allocator<int> >::push_back"},
		{"C", "json_get", "json_get"},
		{"Go", "encoding/json.(*decodeState).object", "encoding/json.(*decodeState).object"},
		{"a Go closure is no suffix of a linker", "main.greet.func1", "main.greet.func1"},
		{"AssemblyScript", "assembly/json/Reader#text", "assembly/json/Reader#text"},
		{"nonsense", "_ZNnonsense", "_ZNnonsense"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := stack.Demangle(tt.in); got != tt.want {
				t.Errorf("Demangle(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCure(t *testing.T) {
	for reason, part := range map[string]string{
		"unreachable": "panic", "stack overflow": "recursion", "out of bounds memory access": "pointer", "boom": "",
	} {
		if got := i18n.English().Text(stack.FixFor(reason)); !strings.Contains(got, part) || (got == "") != (part == "") {
			t.Errorf("Cure(%q) = %q", reason, got)
		}
	}
}

// FuzzParse: whatever a runtime says becomes lines of bounded number.
func FuzzParse(f *testing.F) {
	f.Add("wasm error: unreachable\nwasm stack trace:\n\t._ZN1a17h0123456789abcdefE()\n\t\t0x1: a:1")
	f.Fuzz(func(t *testing.T, message string) {
		if lines := stack.Parse(message).Text(10); len(lines) > 11 {
			t.Errorf("%d lines", len(lines))
		}
	})
}
