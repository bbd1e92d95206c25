package meter_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/wasm/meter"
)

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
	if err == nil || !strings.Contains(i18n.English().Error(err), "$2()") || !strings.Contains(i18n.English().Error(err), "$3()") {
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
