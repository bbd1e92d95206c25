package meter_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/meter"
)

// TestTrace checks that a trap names the module's functions, and that their indices and offsets
// lead back to the original module.
func TestTrace(t *testing.T) {
	code := wat(t, `(module $mine (import "m" "f" (func $host)) (func $inner (call $host) (loop) (unreachable)) (func $outer (export "run") (call $inner)))`)
	m := metered(t, code, meter.Options{})
	ctx := context.Background()
	r := runtime(t, &grants{slice: 1000}, compiler())
	if _, err := r.NewHostModuleBuilder("m").NewFunctionBuilder().WithFunc(func() {}).Export("f").Instantiate(ctx); err != nil {
		t.Fatal(err)
	}
	module, err := r.Instantiate(ctx, m.Code)
	must.Succeed(t, err)
	// Some versions of wabt don't keep names. Then the trap shows indices.
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
