package meter_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"errand/build/must"
	"errand/host/wasm/meter"
)

// BenchmarkOverhead runs guests in four languages with and without metering, in turn, and reports
// the minimum time of each, because only the minimum is steady on a busy machine. "x" is the
// ratio of metered to unmetered.
func BenchmarkOverhead(b *testing.B) {
	for language, code := range buildGuests(b, "c", "rust", "go", "as") {
		b.Run(language, func(b *testing.B) { overhead(b, code) })
	}
}

func overhead(b *testing.B, code []byte) {
	plain := load(b, code, nil)
	g := &grants{slice: 1_000_000}
	rewritten := load(b, metered(b, code, meter.Options{}).Code, g)
	ctx := context.Background()
	for _, name := range entries(plain) {
		b.Run(name, func(b *testing.B) {
			least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
			var results [2]uint64
			fuel := g.used(rewritten)
			calls := 0
			for b.Loop() {
				for i, m := range []api.Module{plain, rewritten} {
					f := m.ExportedFunction(name)
					start := time.Now()
					out, err := f.Call(ctx)
					must.Succeed(b, err)
					least[i] = min(least[i], time.Since(start))
					results[i] = out[0]
				}
				calls++
			}
			if results[0] != results[1] {
				b.Fatalf("it answers %d, metered %d", results[0], results[1])
			}
			b.ReportMetric(float64(least[0].Nanoseconds()), "ns-plain")
			b.ReportMetric(float64(least[1].Nanoseconds()), "ns-metered")
			b.ReportMetric(float64(least[1])/float64(least[0]), "x")
			b.ReportMetric(float64(g.used(rewritten)-fuel)/float64(calls), "fuel")
		})
	}
}

// entries returns the module's exports without parameters that return a number.
func entries(m api.Module) []string {
	var names []string
	for name, d := range m.ExportedFunctionDefinitions() {
		if len(d.ParamTypes()) == 0 && len(d.ResultTypes()) == 1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// load instantiates a module with the imports that guests need.
func load(t testing.TB, code []byte, g *grants) api.Module {
	t.Helper()
	if g == nil {
		g = &grants{}
	}
	ctx := context.Background()
	r := runtime(t, g, compiler())
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	_, err := r.NewHostModuleBuilder("env").NewFunctionBuilder().
		WithFunc(func(context.Context, uint32, uint32, uint32, uint32) { panic("abort") }).Export("abort").Instantiate(ctx)
	must.Succeed(t, err)
	m, err := r.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	must.Succeed(t, err)
	return m
}

// BenchmarkCompile compares the compilation of a big module with that of its rewritten form.
func BenchmarkCompile(b *testing.B) {
	code := buildGuests(b, "go")["go"]
	ctx := context.Background()
	for _, c := range []struct {
		name string
		code []byte
	}{{"plain", code}, {"metered", metered(b, code, meter.Options{}).Code}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportMetric(float64(len(c.code)), "bytes")
			for b.Loop() {
				r := wazero.NewRuntimeWithConfig(ctx, compiler())
				if _, err := r.CompileModule(ctx, c.code); err != nil {
					b.Fatal(err)
				}
				r.Close(ctx)
			}
		})
	}
}

func BenchmarkRewrite(b *testing.B) {
	code := buildGuests(b, "go")["go"]
	b.SetBytes(int64(len(code)))
	b.ReportAllocs()
	for b.Loop() {
		metered(b, code, meter.Options{})
	}
}
