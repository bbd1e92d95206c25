package meter_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/wasm/meter"
)

// TestDepth checks that every kind of recursive call is limited, and that every kind of return
// gives its call stack back.
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
			must.Succeed(t, err)
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
	must.Succeed(t, err)
	if _, err := module.ExportedFunction("tail").Call(ctx, 3_000_000); err != nil {
		t.Errorf("calls in tail position nest nothing: %v", err)
	}
	if left := module.ExportedGlobal(m.Stack).Get(); left != meter.DefaultStack {
		t.Errorf("calls in tail position leave %d bytes of the call stack", left)
	}
}

// TestTailCallsThatNest checks that a tail call with more parameters than registers counts as a
// nested call, direct or indirect. Other tail calls do not nest.
func TestTailCallsThatNest(t *testing.T) {
	for _, tt := range []struct {
		name, params string // beside the count
		nests        bool
	}{
		{"words that fit", "i32 i64 i32 i32 i64", false},
		{"a word too many", "i32 i32 i32 i32 i32 i32", true},
		{"floats that fit", "f64 f32 f64 f64 f64 f64 f64 f64", false},
		{"a float too many", "f64 f64 f64 f64 f64 f64 f64 f64 f64", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var pass, first strings.Builder
			for n, kind := range strings.Fields(tt.params) {
				fmt.Fprintf(&pass, "(local.get %d)", n+1)
				fmt.Fprintf(&first, "(%s.const %d)", kind, n)
			}
			m := metered(t, wat(t, `(module
				(type $t (func (param i32 `+tt.params+`) (result i32)))
				(table funcref (elem $indirect))
				(func $direct (type $t)
					(if (i32.eqz (local.get 0)) (then (return (i32.const 7))))
					(return_call $direct (i32.sub (local.get 0) (i32.const 1)) `+pass.String()+`))
				(func $indirect (type $t)
					(if (i32.eqz (local.get 0)) (then (return (i32.const 7))))
					(return_call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) `+pass.String()+` (i32.const 0)))
				(func (export "direct") (param i32) (result i32) (call $direct (local.get 0) `+first.String()+`))
				(func (export "indirect") (param i32) (result i32) (call $indirect (local.get 0) `+first.String()+`)))`), meter.Options{})
			for _, name := range []string{"direct", "indirect"} {
				module, err := runtime(t, &grants{slice: 100_000}, compiler()).Instantiate(t.Context(), m.Code)
				must.Succeed(t, err)
				f := module.ExportedFunction(name)
				for _, n := range []uint64{0, 1, 1000} {
					if out, err := f.Call(t.Context(), n); err != nil || out[0] != 7 {
						t.Errorf("%s, %d deep: %v, %v", name, n, out, err)
					}
					if left := module.ExportedGlobal(m.Stack).Get(); left != meter.DefaultStack {
						t.Errorf("%s, %d deep, leaves %d bytes of the call stack", name, n, left)
					}
				}
				_, err = f.Call(t.Context(), 3_000_000)
				if tt.nests != errors.Is(err, errTooDeep) || !tt.nests && err != nil {
					t.Errorf("%s, without end: %v", name, err)
				}
			}
		})
	}
}

// TestDeepGuests checks that compiled programs have enough call stack: encoding/json at its
// maximum nesting, and a Rust parser at the maximum of its own stack.
func TestDeepGuests(t *testing.T) {
	for language, code := range buildGuests(t, "go", "rust") {
		m := load(t, metered(t, code, meter.Options{}).Code, &grants{slice: 1_000_000})
		if out, err := m.ExportedFunction("deep").Call(context.Background()); err != nil || out[0] < 3000 {
			t.Errorf("%s: %d (%v)", language, out, err)
		}
	}
}
