package meter_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/wasm/meter"
)

// sameBehaviour runs each exported function without parameters unmetered, and metered twice with
// slices of different size. It compares results, traps, memory and globals, and returns the
// number of compared calls. It skips calls that do not end within a budget of fuel.
func sameBehaviour(t *testing.T, config wazero.RuntimeConfig, code []byte) int {
	t.Helper()
	m, err := meter.Rewrite(code, meter.Options{})
	must.Succeed(t, err)
	const budget = 20_000_000
	cache := wazero.NewCompilationCache()
	defer cache.Close(context.Background())
	config = config.WithCompilationCache(cache)
	small, big := &grants{slice: 97, budget: budget}, &grants{slice: budget / 2, budget: budget}
	first, failedFirst := start(t, config, m.Code, small)
	if errors.Is(failedFirst, errBudget) || errors.Is(failedFirst, errTooDeep) {
		return 0
	}
	plain, failedPlain := start(t, config, code, &grants{})
	second, failedSecond := start(t, config, m.Code, big)
	if reason(failedPlain) != reason(failedFirst) || reason(failedFirst) != reason(failedSecond) {
		t.Fatalf("it starts with %v, metered with %v and %v", failedPlain, failedFirst, failedSecond)
	}
	if failedPlain != nil {
		return 0
	}
	compared := 0
	for _, name := range callable(plain) {
		ctx := context.Background()
		got, errFirst := first.ExportedFunction(name).Call(ctx)
		if errors.Is(errFirst, errBudget) || errors.Is(errFirst, errTooDeep) {
			return compared
		}
		want, errPlain := plain.ExportedFunction(name).Call(ctx)
		again, errSecond := second.ExportedFunction(name).Call(ctx)
		if reason(errPlain) != reason(errFirst) || reason(errPlain) != reason(errSecond) {
			t.Fatalf("%s ends with %v, metered with %v and %v", name, errPlain, errFirst, errSecond)
		}
		if !slices.Equal(got, want) || !slices.Equal(again, want) {
			t.Fatalf("%s answers %x, metered %x and %x", name, want, got, again)
		}
		if a, b := small.used(first), big.used(second); a != b {
			t.Fatalf("after %s, %d units of fuel are used in small slices and %d in big ones", name, a, b)
		}
		for _, m := range []api.Module{first, second} {
			if !sameState(plain, m) {
				t.Fatalf("%s leaves another memory or globals", name)
			}
		}
		compared++
		if errPlain != nil {
			break // a trapped instance is discarded
		}
	}
	return compared
}

// reason returns an error's text without the stack.
func reason(err error) string {
	if err == nil {
		return ""
	}
	text, _, _ := strings.Cut(i18n.English().Error(err), "\n")
	return text
}

func sameState(a, b api.Module) bool {
	for name := range a.ExportedMemoryDefinitions() {
		ma, mb := a.ExportedMemory(name), b.ExportedMemory(name)
		left, _ := ma.Read(0, ma.Size())
		right, _ := mb.Read(0, mb.Size())
		if !bytes.Equal(left, right) {
			return false
		}
	}
	for _, name := range []string{"g0", "g1", "g2"} {
		if g := a.ExportedGlobal(name); g != nil && g.Get() != b.ExportedGlobal(name).Get() {
			return false
		}
	}
	return true
}

// callable returns the exports without parameters.
func callable(m api.Module) []string {
	var names []string
	for name, d := range m.ExportedFunctionDefinitions() {
		if len(d.ParamTypes()) == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// start instantiates a module. Its imports, except WASI, do nothing and return zero.
func start(t testing.TB, config wazero.RuntimeConfig, code []byte, g *grants) (api.Module, error) {
	ctx := context.Background()
	r := runtime(t, g, config)
	compiled, err := r.CompileModule(ctx, code)
	if err != nil {
		return nil, err
	}
	hosts := map[string]wazero.HostModuleBuilder{}
	wasi := false
	for _, d := range compiled.ImportedFunctions() {
		module, name, _ := d.Import()
		switch {
		case module == meter.YieldModule:
			continue
		case module == "wasi_snapshot_preview1":
			wasi = true
			continue
		}
		if hosts[module] == nil {
			hosts[module] = r.NewHostModuleBuilder(module)
		}
		results := len(d.ResultTypes())
		hosts[module].NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) {
			clear(stack[:results])
		}), d.ParamTypes(), d.ResultTypes()).Export(name)
	}
	for _, b := range hosts {
		if _, err := b.Instantiate(ctx); err != nil {
			return nil, err
		}
	}
	if wasi {
		wasi_snapshot_preview1.MustInstantiate(ctx, r)
	}
	return r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
}

// TestGenerated compares generated modules. A failure names the seed.
func TestGenerated(t *testing.T) {
	compared := 0
	modules := tier.Size(40, 300)
	for seed := range uint64(modules) {
		choices := choicesOf(seed)
		compared += sameBehaviour(t, compiler(), generate(choices))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if compared < 2*modules {
		t.Errorf("only %d calls of %d modules were compared", compared, modules)
	}
}

func choicesOf(seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	choices := make([]byte, 1500)
	for i := range choices {
		choices[i] = byte(random.UintN(256))
	}
	return choices
}

// TestPlugins compares the plugins of the Extism Go SDK's tests and the bundled plugins. The shorter
// tier leaves out those of more than a mebibyte.
func TestPlugins(t *testing.T) {
	sdk, err := filepath.Glob(filepath.Join(moduleFolder(t, "github.com/extism/go-sdk"), "wasm", "*.wasm"))
	if err != nil || len(sdk) < 20 {
		t.Fatalf("the Extism Go SDK has %d modules (%v)", len(sdk), err)
	}
	ours, err := filepath.Glob(filepath.Join("..", "..", "..", "plugins", "dist", "*", "*.wasm"))
	must.Succeed(t, err)
	for _, path := range append(sdk, ours...) {
		if info, err := os.Stat(path); err == nil && info.Size() > 1<<20 && !tier.IsLong() {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			code := must.ReadFile(t, path)
			sameBehaviour(t, compiler(), code)
		})
	}
}

// FuzzGenerated checks that any generated module behaves the same when it is metered.
func FuzzGenerated(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(choicesOf(seed)[:300])
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		sameBehaviour(t, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features).WithMemoryLimitPages(64), generate(choices))
	})
}
