package meter_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"errand/build/must"
	"errand/host/wasm/meter"
)

// FuzzRewrite checks that no bytes make Rewrite panic, that the rewritten module is valid if and
// only if the original is (which lets a host validate the result alone), and that both behave the
// same.
func FuzzRewrite(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(generate(choicesOf(seed)[:60]))
	}
	folder := filepath.Join(moduleFolder(f, "github.com/tetratelabs/wazero"), "internal", "integration_test", "spectest")
	for _, pattern := range []string{"v2/testdata/*.0.wasm", "tail-call/testdata/*.0.wasm", "extended-const/testdata/*.0.wasm"} {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(paths) == 0 {
			f.Fatalf("%d modules of the test suite (%v)", len(paths), err)
		}
		for _, path := range paths {
			if b, err := os.ReadFile(path); err == nil && len(b) < 4<<10 {
				f.Add(b)
			}
		}
	}
	config := wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features).WithMemoryLimitPages(64)
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) > 16<<10 {
			return
		}
		m, err := meter.Rewrite(code, meter.Options{Table: 1000})
		if err != nil {
			// wazero allocates what a damaged module says it will hold: asking it
			// about that one could take all memory.
			return
		}
		original := compiles(config, code)
		if original != nil && strings.Contains(original.Error(), "section custom") {
			return // names can't make a module invalid, though wazero thinks so
		}
		rewritten := compiles(config, m.Code)
		if rewritten != nil && strings.Contains(rewritten.Error(), "wazero panics") {
			t.Fatal(rewritten)
		}
		if (original == nil) != (rewritten == nil) {
			t.Fatalf("compiling the original: %v; and what is made of it: %v", original, rewritten)
		}
		if original != nil || len(m.Code) > 100*len(code)+10_000 {
			if original == nil {
				t.Fatalf("%d bytes became %d", len(code), len(m.Code))
			}
			return
		}
		if runnable(t, config, code) {
			sameBehaviour(t, config, code)
		}
	})
}

// compiles returns why the module is refused. wazero panics on some damaged modules that the
// rewriter refuses.
func compiles(config wazero.RuntimeConfig, code []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("wazero panics: %v", p)
		}
	}()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer r.Close(ctx)
	_, err = r.CompileModule(ctx, code)
	return err
}

// runnable reports whether the tests can instantiate a module: it imports only functions, and
// their names fit a host module.
func runnable(t *testing.T, config wazero.RuntimeConfig, code []byte) bool {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer r.Close(ctx)
	m, err := r.CompileModule(ctx, code)
	must.Succeed(t, err)
	return len(m.ImportedFunctions()) == 0 && len(m.ImportedMemories()) == 0
}
