package meter_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"errand/build/must"
	"errand/host/wasm/meter"
)

// TestFuel checks that a call uses the same fuel with any slice, and that a budget ends it.
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
		must.Succeed(t, err)
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

func TestDeterministic(t *testing.T) {
	code := buildGuests(t, "rust")["rust"]
	first := metered(t, code, meter.Options{})
	if first.Resettable() != true || first.Stack == "" || first.Pages == "" {
		t.Errorf("it is held for %v; stack %q, pages %q", first.NewInstanceReasons, first.Stack, first.Pages)
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
