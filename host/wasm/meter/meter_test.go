package meter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/host/wasm/meter"
)

// TestGuestCanNameNothingOfOurs: rewriting adds globals, functions, types and
// local variables behind those of the module. A module that names the place
// where they will be (to set its own fuel, say) is no valid one and must not
// become one.
func TestGuestCanNameNothingOfOurs(t *testing.T) {
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

// TestBlockCanNameNoTypeOfOurs is the same for the types of blocks, which the
// assembler would write in another way.
func TestBlockCanNameNoTypeOfOurs(t *testing.T) {
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
		{name: "import of yield", text: `(import "errand:meter" "yield" (func (param i64) (result i64)))`, kind: meter.ErrForbidden, want: "for the host alone"},
		{name: "export of a name of ours", text: `(global (export "errand:meter.fuel") (mut i64) (i64.const 0))`, kind: meter.ErrForbidden, want: "the host's"},
		{name: "table too big", text: `(table 1048577 funcref)`, kind: meter.ErrForbidden, want: "1048577 entries"},
		{name: "too many locals", code: header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x0a\x01\x08\x01\xff\xff\xff\xff\x0f\x7f\x0b", kind: meter.ErrForbidden, want: "50000"},
		{name: "shared memory", text: `(memory 1 1 shared)`, kind: meter.ErrUnsupported, want: "threads"},
		{name: "atomics", text: `(memory 1 1) (func (drop (i32.atomic.load (i32.const 0))))`, kind: meter.ErrUnsupported, want: "0xfe"},
		{name: "two memories", text: `(memory 1) (memory 1)`, kind: meter.ErrUnsupported, want: "more than one memory"},
		{name: "exceptions", text: `(tag) (func (throw 0))`, kind: meter.ErrUnsupported, want: "exceptions"},
		{name: "try", text: `(func (try (do) (catch_all)))`, kind: meter.ErrUnsupported, want: "0x6"},
		{name: "imported tag", text: `(import "m" "t" (tag))`, kind: meter.ErrUnsupported, want: "exceptions"},
		{name: "relaxed vectors", code: header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x08\x01\x06\x00\xfd\x80\x02\x00\x0b", kind: meter.ErrUnsupported, want: "beyond those of WebAssembly 2.0"},
		{name: "call by reference", code: header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x06\x01\x04\x00\x14\x00\x0b", kind: meter.ErrUnsupported, want: "0x14"},
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
			if !errors.Is(err, tt.kind) || !errors.As(err, &typed) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %v with %q in it", err, tt.kind, tt.want)
			}
		})
	}
}

// TestEveryTruncation: a module that ends anywhere in its middle is refused,
// and any byte of it may be anything.
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

// TestFuel: what a call uses up is the same for any slice, and a budget ends it.
func TestFuel(t *testing.T) {
	m := metered(t, wat(t, `(module
		(func $leaf (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
		(func $twice (param i32) (result i32) (call $leaf (call $leaf (local.get 0))))
		(func (export "loop") (param i32) (result i32) (local $n i32)
			(loop $l
				(local.set $n (call $twice (local.get $n)))
				(loop $inner (br_if $inner (i32.const 0)))
				(br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
			(local.get $n))
		(func $fib (export "fib") (param i32) (result i32)
			(if (result i32) (i32.lt_s (local.get 0) (i32.const 2)) (then (i32.const 1))
				(else (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2)))))))
		(func (export "leaf") (param i32) (result i32) (call $twice (local.get 0))))`), meter.Options{})
	ctx := context.Background()
	run := func(t *testing.T, g *grants, name string, arg uint64) (int64, error) {
		module, err := runtime(t, g, compiler()).Instantiate(ctx, m.Code)
		if err != nil {
			t.Fatal(err)
		}
		_, err = module.ExportedFunction(name).Call(ctx, arg)
		return g.used(module), err
	}
	for _, tt := range []struct {
		name  string
		arg   uint64
		least int64
	}{{"loop", 1000, 20_000}, {"fib", 15, 10_000}, {"leaf", 1, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			want, err := run(t, &grants{slice: 1 << 40}, tt.name, tt.arg)
			if err != nil || want < tt.least || want > 10*tt.least {
				t.Fatalf("it uses %d (%v), want about %d", want, err, tt.least)
			}
			for _, slice := range []int64{1, 7, 50, 1000} {
				if got, err := run(t, &grants{slice: slice}, tt.name, tt.arg); got != want || err != nil {
					t.Errorf("in slices of %d it uses %d (%v), want %d", slice, got, err, want)
				}
			}
			if tt.least == 0 {
				return
			}
			if _, err := run(t, &grants{slice: 100, budget: want}, tt.name, tt.arg); err != nil {
				t.Errorf("a budget of just what it uses: %v", err)
			}
			if _, err := run(t, &grants{slice: 100, budget: want - 1}, tt.name, tt.arg); !errors.Is(err, errBudget) {
				t.Errorf("a budget of one unit less: %v", err)
			}
		})
	}
}

// TestDepth: nesting of calls is bounded wherever a function can call itself,
// whichever way it leaves, and each way gives back what it took.
func TestDepth(t *testing.T) {
	m := metered(t, wat(t, `(module
		(type $t (func (param i32) (result i32)))
		(table 1 funcref) (elem (i32.const 0) func $indirect)
		(func $direct (export "direct") (type $t)
			(if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
			(i32.add (i32.const 1) (call $direct (i32.sub (local.get 0) (i32.const 1)))))
		(func $label (export "label") (type $t)
			(drop (br_if 0 (i32.const 0) (i32.eqz (local.get 0))))
			(drop (br_if 0 (i32.const 1) (i32.eq (local.get 0) (i32.const 1))))
			(i32.add (i32.const 1) (call $label (i32.sub (local.get 0) (i32.const 1)))))
		(func $table (export "table") (type $t)
			(block $zero (block $more (br_table $zero $more (local.get 0)))
				(return (i32.add (i32.const 1) (call $table (i32.sub (local.get 0) (i32.const 1))))))
			(i32.const 0))
		(func $indirect (export "indirect") (type $t)
			(if (result i32) (local.get 0)
				(then (i32.add (i32.const 1) (call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0))))
				(else (i32.const 0))))
		(func $odd (type $t) (if (result i32) (local.get 0) (then (i32.add (i32.const 1) (call $even (i32.sub (local.get 0) (i32.const 1))))) (else (i32.const 0))))
		(func $even (export "mutual") (type $t) (if (result i32) (local.get 0) (then (i32.add (i32.const 1) (call $odd (i32.sub (local.get 0) (i32.const 1))))) (else (i32.const 0))))
		(func $header (export "header") (type $t)
			(block $out (loop $again
				(br_if $out (i32.eqz (local.get 0)))
				(return (i32.add (i32.const 1) (call $header (i32.sub (local.get 0) (i32.const 1)))))))
			(i32.const 0))
		(func $pair (param i32) (result i32 i32)
			(if (i32.eqz (local.get 0)) (then (br 1 (i32.const 0) (i32.const 7))))
			(call $pair (i32.sub (local.get 0) (i32.const 1)))
			(return (i32.const 1) (i32.add) (i32.const 7)) (unreachable))
		(func (export "results") (type $t) (call $pair (local.get 0)) (drop))
		(func $tail (export "tail") (type $t)
			(if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
			(return_call $tail (i32.sub (local.get 0) (i32.const 1)))))`), meter.Options{})
	ctx := context.Background()
	for _, name := range []string{"direct", "label", "table", "indirect", "mutual", "header", "results"} {
		t.Run(name, func(t *testing.T) {
			module, err := runtime(t, &grants{slice: 100_000}, compiler()).Instantiate(ctx, m.Code)
			if err != nil {
				t.Fatal(err)
			}
			f := module.ExportedFunction(name)
			for _, n := range []uint64{0, 1, 2, 10_000} {
				if out, err := f.Call(ctx, n); err != nil || out[0] != n && name != "results" {
					t.Errorf("nested %d deep it answers %d (%v)", n, out, err)
				}
				if left := module.ExportedGlobal(m.Stack).Get(); left != meter.DefaultStack {
					t.Errorf("nested %d deep it leaves %d bytes of the call stack, want all %d", n, left, meter.DefaultStack)
				}
			}
			if _, err := f.Call(ctx, math.MaxUint32); !errors.Is(err, errTooDeep) {
				t.Errorf("nested without end: %v", err)
			}
		})
	}
	module, err := runtime(t, &grants{slice: 100_000}, compiler()).Instantiate(ctx, m.Code)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := module.ExportedFunction("tail").Call(ctx, 3_000_000); err != nil {
		t.Errorf("calls in tail position nest nothing: %v", err)
	}
	if left := module.ExportedGlobal(m.Stack).Get(); left != meter.DefaultStack {
		t.Errorf("calls in tail position leave %d bytes of the call stack", left)
	}
}

// TestDeepGuests: what compilers make of honest recursion has room: encoding/json
// at the deepest nesting that it takes, and a parser in Rust at the deepest that
// its own stack takes.
func TestDeepGuests(t *testing.T) {
	for language, code := range buildGuests(t, "go", "rust") {
		m := load(t, metered(t, code, meter.Options{}).Code, &grants{slice: 1_000_000})
		if out, err := m.ExportedFunction("deep").Call(context.Background()); err != nil || out[0] < 3000 {
			t.Errorf("%s: %d (%v)", language, out, err)
		}
	}
}

// TestVirtualMemory: after a host has put the size back, pages that the memory
// has are handed out again, and it does not grow.
func TestVirtualMemory(t *testing.T) {
	m := metered(t, wat(t, `(module (memory (export "memory") 1 5)
		(func (export "size") (result i32) (memory.size))
		(func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))`), meter.Options{})
	ctx := context.Background()
	module, err := runtime(t, &grants{slice: 100_000}, compiler()).Instantiate(ctx, m.Code)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args ...uint64) int32 {
		out, err := module.ExportedFunction(name).Call(ctx, args...)
		if err != nil {
			t.Fatal(err)
		}
		return int32(out[0])
	}
	pages := module.ExportedGlobal(m.Pages).(api.MutableGlobal)
	for round := range 3 {
		for _, step := range []struct {
			name string
			arg  []uint64
			want int32
		}{
			{"size", nil, 1},
			{"grow", []uint64{0}, 1},
			{"grow", []uint64{2}, 1},
			{"size", nil, 3},
			{"grow", []uint64{3}, -1},
			{"grow", []uint64{math.MaxUint32}, -1},
			{"size", nil, 3},
			{"grow", []uint64{2}, 3},
			{"grow", []uint64{1}, -1},
			{"size", nil, 5},
		} {
			if got := call(step.name, step.arg...); got != step.want {
				t.Errorf("round %d: %s%v answers %d, want %d", round, step.name, step.arg, got, step.want)
			}
		}
		if real := module.Memory().Size(); real != 5<<16 {
			t.Errorf("round %d: the memory has %d bytes", round, real)
		}
		pages.Set(1)
	}
	if diff := cmp.Diff([]meter.Global{{Name: m.Pages, Type: meter.I32}}, m.Globals); diff != "" {
		t.Errorf("globals (-want +got):\n%s", diff)
	}
}

// TestBulk: in pieces or at once, bulk operations do the same, and those out of
// bounds trap before they write.
func TestBulk(t *testing.T) {
	code := wat(t, `(module (memory (export "memory") 40)
		(func (export "fill") (param i32 i32 i32) (memory.fill (local.get 0) (local.get 1) (local.get 2)))
		(func (export "copy") (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2))))`)
	ctx := context.Background()
	load := func(code []byte) api.Module {
		m, err := runtime(t, &grants{slice: 1000}, compiler()).Instantiate(ctx, code)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := m.Memory().Read(0, m.Memory().Size())
		for i := range b {
			b[i] = byte(i*i>>7 + i>>13)
		}
		return m
	}
	plain, rewritten := load(code), load(metered(t, code, meter.Options{}).Code)
	const piece, size = 256 << 10, 40 << 16
	for _, args := range [][3]uint64{
		{0, 0, 0}, {0, 9, 1}, {5, 1000, piece}, {5, 1000, piece + 1}, {1000, 5, piece + 1},
		{3, 100_000, 2 * piece}, {100_000, 3, 2 * piece}, {1, 0, size - 1}, {0, 1, size - 1},
		{0, 300_001, 1_000_003}, {300_001, 0, 1_000_003}, {77, 77, 3*piece + 5},
		{0, 0, size}, {0, 0, size + 1}, {1, 0, size}, {0, 1, size}, {size, 0, 0}, {size, 0, 1}, {size + 1, 0, 0},
		{math.MaxUint32, 0, math.MaxUint32}, {0, math.MaxUint32, math.MaxUint32}, {16, math.MaxUint32, piece}, {0, 0, math.MaxUint32},
	} {
		for _, name := range []string{"copy", "fill"} {
			var failed [2]string
			var after [2][]byte
			for i, m := range []api.Module{plain, rewritten} {
				if _, err := m.ExportedFunction(name).Call(ctx, args[0], args[1], args[2]); err != nil {
					failed[i], _, _ = strings.Cut(err.Error(), "\n")
				}
				after[i], _ = m.Memory().Read(0, m.Memory().Size())
			}
			if failed[0] != failed[1] {
				t.Errorf("%s%v ends with %q, metered with %q", name, args, failed[0], failed[1])
			}
			if !bytes.Equal(after[0], after[1]) {
				t.Errorf("%s%v leaves another memory", name, args)
			}
		}
	}
}

func TestHeld(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", `(memory 1) (global (mut i32) (i32.const 0)) (table 1 funcref) (data "x") (func (drop (table.get 0 (i32.const 0))) (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 0)))`, nil},
		{"table.set", `(table 1 funcref) (func (table.set 0 (i32.const 0) (ref.null func)))`, []string{"it writes to a table"}},
		{"table.grow", `(table 1 funcref) (func (drop (table.grow 0 (ref.null func) (i32.const 1))))`, []string{"it writes to a table"}},
		{"elem.drop", `(table 1 funcref) (elem func) (func (elem.drop 0))`, []string{"it drops an element segment"}},
		{"data.drop", `(memory 1) (data "x") (func (data.drop 0))`, []string{"it drops a data segment"}},
		{"imports", `(import "m" "m" (memory 1)) (import "m" "t" (table 1 funcref)) (import "m" "g" (global (mut i32)))`, []string{"it imports its memory", "it imports a table", "it imports a mutable global"}},
		{"vector global", `(global (mut v128) (v128.const i64x2 0 0))`, []string{"it has a mutable global of a type that a host can't read and write"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := metered(t, wat(t, "(module "+tt.text+")"), meter.Options{})
			if diff := cmp.Diff(tt.want, m.Held); diff != "" {
				t.Errorf("held (-want +got):\n%s", diff)
			}
			if m.Resettable() != (tt.want == nil) {
				t.Errorf("resettable: %t", m.Resettable())
			}
		})
	}
}

// TestTables: no table can grow beyond the bound.
func TestTables(t *testing.T) {
	m := metered(t, wat(t, `(module (table $a 1 funcref) (table $b 1 3 externref)
		(func (export "a") (param i32) (result i32) (table.grow $a (ref.null func) (local.get 0)))
		(func (export "b") (param i32) (result i32) (table.grow $b (ref.null extern) (local.get 0))))`), meter.Options{Table: 100})
	ctx := context.Background()
	module, err := runtime(t, &grants{slice: 1000}, compiler()).Instantiate(ctx, m.Code)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		by   uint64
		want int32
	}{{"a", 100, -1}, {"a", 99, 1}, {"a", 1, -1}, {"b", 3, -1}, {"b", 2, 1}, {"a", math.MaxUint32, -1}} {
		out, err := module.ExportedFunction(tt.name).Call(ctx, tt.by)
		if err != nil || int32(out[0]) != tt.want {
			t.Errorf("%s grows by %d: %d (%v), want %d", tt.name, tt.by, int32(out[0]), err, tt.want)
		}
	}
}

// TestTrace: a trap names the functions of the module, whose indices and
// offsets lead back to the original.
func TestTrace(t *testing.T) {
	code := wat(t, `(module $mine (import "m" "f" (func $host)) (func $inner (call $host) (loop) (unreachable)) (func $outer (export "run") (call $inner)))`)
	m := metered(t, code, meter.Options{})
	ctx := context.Background()
	r := runtime(t, &grants{slice: 1000}, compiler())
	if _, err := r.NewHostModuleBuilder("m").NewFunctionBuilder().WithFunc(func() {}).Export("f").Instantiate(ctx); err != nil {
		t.Fatal(err)
	}
	module, err := r.Instantiate(ctx, m.Code)
	if err != nil {
		t.Fatal(err)
	}
	// Names are not kept by the wabt of every system: without them, indices are shown.
	_, err = module.ExportedFunction("run").Call(ctx)
	if err == nil || !strings.Contains(err.Error(), "$2()") || !strings.Contains(err.Error(), "$3()") {
		t.Errorf("the trap says %v", err)
	}
	for metered, want := range map[uint32]int{0: 0, 1: -1, 2: 1, 3: 2, 4: -1, math.MaxUint32: -1} {
		got, ok := m.OriginalFunc(metered)
		if !ok && want >= 0 || ok && int(got) != want {
			t.Errorf("function %d was %d (%t), want %d", metered, got, ok, want)
		}
	}
}

// TestOffsets: from each offset on, the rewritten code is the original's up to
// what was put in or left out.
func TestOffsets(t *testing.T) {
	for name, code := range buildGuests(t, "c", "rust") {
		offsets, err := meter.Offsets(code, meter.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before := section(t, code, 10)
		after := section(t, metered(t, code, meter.Options{}).Code, 10)
		same := 0
		for i, o := range offsets[:len(offsets)-1] {
			next := offsets[i+1]
			if next.Metered < o.Metered || next.Original < o.Original {
				t.Fatalf("%s: %v comes after %v", name, next, o)
			}
			n := min(next.Metered-o.Metered, next.Original-o.Original)
			// What was put in or left out lies at the end of the stretch.
			for i := range n {
				if before[o.Original+i] != after[o.Metered+i] {
					break
				}
				same++
			}
		}
		if same < len(before)*3/4 {
			t.Errorf("%s: of %d bytes, %d are found again", name, len(before), same)
		}
	}
}

// section answers the contents of a section of a well-formed module.
func section(t testing.TB, code []byte, id byte) []byte {
	t.Helper()
	for at := 8; at < len(code); {
		this := code[at]
		size, shift := 0, 0
		for at++; ; at++ {
			size |= int(code[at]&0x7f) << shift
			shift += 7
			if code[at] < 0x80 {
				break
			}
		}
		at++
		if this == id {
			return code[at : at+size]
		}
		at += size
	}
	t.Fatalf("there is no section %d", id)
	return nil
}

func TestDeterministic(t *testing.T) {
	code := buildGuests(t, "rust")["rust"]
	first := metered(t, code, meter.Options{})
	if first.Resettable() != true || first.Stack == "" || first.Pages == "" {
		t.Errorf("it is held for %v; stack %q, pages %q", first.Held, first.Stack, first.Pages)
	}
	for range 3 {
		if !bytes.Equal(first.Code, metered(t, code, meter.Options{}).Code) {
			t.Fatal("rewriting it again makes another module")
		}
	}
	for _, section := range []string{".debug_info", ".debug_line", "producers"} {
		if bytes.Contains(first.Code, []byte(section)) {
			t.Errorf("section %s is still there", section)
		}
	}
	if _, err := meter.Rewrite(first.Code, meter.Options{}); !errors.Is(err, meter.ErrForbidden) {
		t.Errorf("rewriting what is rewritten: %v", err)
	}
}
