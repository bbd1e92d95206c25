package meter_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/build/must"
	"errand/host/wasm/meter"
)

// features are supported by wazero and the rewriter.
const features = api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst

var (
	errBudget  = errors.New("the fuel is used up")
	errTooDeep = errors.New("calls are nested too deep")
)

// grants is the host's side of metering in the tests.
type grants struct {
	slice  int64
	budget int64 // 0: none
	given  int64
	asked  int
}

func (g *grants) yield(_ context.Context, stack []uint64) {
	left := int64(stack[0])
	if left == meter.TooDeep {
		panic(errTooDeep)
	}
	g.asked++
	give := g.slice
	if g.budget > 0 {
		give = min(give, g.budget-g.given)
	}
	if give <= 0 {
		panic(errBudget)
	}
	g.given += give
	stack[0] = uint64(left + give)
}

// used returns the fuel that a module has used since its start.
func (g *grants) used(m api.Module) int64 {
	return g.given - int64(m.ExportedGlobal("errand:meter.fuel").Get())
}

// runtime returns a runtime with g's yield function.
func runtime(t testing.TB, g *grants, config wazero.RuntimeConfig) wazero.Runtime {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config)
	t.Cleanup(func() { r.Close(ctx) })
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := r.NewHostModuleBuilder(meter.YieldModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(g.yield), i64, i64).Export(meter.YieldName).Instantiate(ctx)
	must.Succeed(t, err)
	return r
}

func compiler() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfig().WithCoreFeatures(features).WithMemoryLimitPages(1 << 10)
}

// moduleFolder returns the folder of a Go module in the module cache.
func moduleFolder(t testing.TB, path string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		t.Fatalf("find %s in the module cache: %v", path, err)
	}
	return strings.TrimSpace(string(out))
}

// wat assembles a module from its text.
func wat(t testing.TB, text string) []byte {
	t.Helper()
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.wat"), filepath.Join(folder, "out.wasm")
	must.Succeed(t, os.WriteFile(in, []byte(text), 0o600))
	message, err := exec.Command("wat2wasm", "--enable-all", "--no-check", in, "-o", out).CombinedOutput()
	if err != nil {
		t.Fatalf("wat2wasm, of the package wabt: %v\n%s", err, message)
	}
	return must.ReadFile(t, out)
}

// metered rewrites a module, which must succeed.
func metered(t testing.TB, code []byte, o meter.Options) *meter.Module {
	t.Helper()
	m, err := meter.Rewrite(code, o)
	must.Succeed(t, err)
	return m
}
