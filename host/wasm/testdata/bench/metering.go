package main

import (
	"context"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	wasi "github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"errand/host/wasm/inspect"
	"errand/host/wasm/meter"
)

// metering measures a tight loop over a megabyte of the guest's memory with wazero alone:
// without a check, with fuel, and with wazero's own check of the context.
func metering(ctx context.Context, _ string, modules map[string][]byte) error {
	head("What stopping a guest costs (wazero alone)", "plugin", "function", "plain", "with fuel", "wazero's check", "fuel", "check")
	for _, plugin := range []string{"go", "rust", "c", "as"} {
		metered, err := meter.Rewrite(modules[plugin], meter.Options{})
		if err != nil {
			return err
		}
		for _, function := range []string{"scan", "empty"} {
			var took [3]time.Duration
			for i, code := range [][]byte{modules[plugin], metered.Code, modules[plugin]} {
				if took[i], err = raw(ctx, code, i == 2, function); err != nil {
					return fmt.Errorf("%s: %w", plugin, err)
				}
			}
			row(plugin, function, short(took[0]), short(took[1]), short(took[2]),
				fmt.Sprintf("%.2f×", float64(took[1])/float64(took[0])), fmt.Sprintf("%.1f×", float64(took[2])/float64(took[0])))
		}
	}
	return nil
}

// raw measures a function of a module whose imports do nothing.
func raw(ctx context.Context, code []byte, check bool, function string) (time.Duration, error) {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCloseOnContextDone(check))
	defer r.Close(ctx)
	wasi.MustInstantiate(ctx, r)
	i64 := []api.ValueType{api.ValueTypeI64}
	if _, err := r.NewHostModuleBuilder(meter.YieldModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(_ context.Context, s []uint64) { s[0] += 1_000_000 }), i64, i64).
		Export(meter.YieldName).Instantiate(ctx); err != nil {
		return 0, err
	}
	compiled, err := r.CompileModule(ctx, code)
	if err != nil {
		return 0, err
	}
	b := r.NewHostModuleBuilder(inspect.ExtismModule)
	n := 0
	for _, f := range compiled.ImportedFunctions() {
		if module, name, _ := f.Import(); module == inspect.ExtismModule {
			n++
			b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, s []uint64) {}), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	if n > 0 {
		if _, err := b.Instantiate(ctx); err != nil {
			return 0, err
		}
	}
	m, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return 0, err
	}
	f := m.ExportedFunction(function)
	stack := make([]uint64, 2)
	return least(func() error {
		stack[0] = 1 << 20
		return f.CallWithStack(ctx, stack)
	})
}
