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
