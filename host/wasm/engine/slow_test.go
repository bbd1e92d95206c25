package engine

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"errand/host/tool"
	"errand/host/wasm/codecache"
	"errand/host/wasm/extism"
	"errand/host/wasm/meter"
)

// TestSlowerWay: a module that the rewriter doesn't know runs all the same, says
// why it is slow, is stopped by its deadline and by a cancel, and has a new
// instance for each call.
func TestSlowerWay(t *testing.T) {
	rewriteModule = func([]byte, meter.Options) (*meter.Module, error) {
		return nil, &meter.Error{Kind: meter.ErrUnsupported, Reason: "something new"}
	}
	defer func() { rewriteModule = meter.Rewrite }()
	out := filepath.Join(t.TempDir(), "plugin.wasm")
	build := exec.Command("clang-14", "--target=wasm32", "-O2", "-mbulk-memory", "-nostdlib", "-Wl,--no-entry", "-o", out, "../testdata/guests/hostile/plugin.c")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	code, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := codecache.Open(t.TempDir(), filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time from the cache
		p, err := Compile(t.Context(), code, Options{Cache: cache, Log: func(message string) { t.Error(message) }})
		if err != nil {
			t.Fatal(err)
		}
		if p.Slow == "" {
			t.Error("it doesn't say why it is slow")
		}
		template := p.Template()
		setup := Setup{Name: "m", Extism: true, Closing: t.Context(), Limits: Limits{
			Memory: 64 << 20, Output: 1 << 20, LogLines: 10, OpenFiles: 10, Raise: func(string) string { return "" },
		}}
		call := func(ctx context.Context, function string) (Outcome, error) {
			c := &Call{Function: function, Timeout: 100 * time.Millisecond, Extism: &extism.Call{Limits: extism.DefaultLimits()}}
			i, err := template.Open(ctx, setup, c)
			if err != nil {
				return Outcome{}, err
			}
			defer i.Close()
			out, err := i.Call(ctx, c)
			if i.Reset() {
				t.Error("it would be used again")
			}
			return out, err
		}
		for range 2 {
			if out, err := call(t.Context(), "good"); err != nil || out.Code != 0 || out.Fuel != 0 {
				t.Errorf("good: %+v, %v", out, err)
			}
			if _, err := call(t.Context(), "loop"); tool.AsError(err).Code != "deadline_exceeded" {
				t.Errorf("loop: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(10*time.Millisecond, cancel)
			if _, err := call(ctx, "loop"); tool.AsError(err).Code != "interrupted" {
				t.Errorf("loop, cancelled: %v", err)
			}
		}
		template.Close()
		p.Close()
	}
}
