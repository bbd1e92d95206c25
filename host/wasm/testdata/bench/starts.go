package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	sdk "github.com/extism/go-sdk"

	"errand/host/wasm"
)

// starts times a program's first call of a plugin, from bytes to answer: with
// nothing compiled yet, and with what an earlier run compiled.
func starts(ctx context.Context, dir string, modules map[string][]byte) error {
	head("From the module's bytes to the first answer", "plugin", "module", "ours, cold", "ours, cached", "SDK, cold", "SDK, cached")
	for _, plugin := range []string{"go", "rust", "c", "as"} {
		cells := []string{plugin, fmt.Sprintf("%.1f KB", float64(len(modules[plugin]))/1000)}
		for _, host := range []string{"ours", "sdk"} {
			best := [2]time.Duration{1 << 62, 1 << 62}
			for n := range 5 {
				cache := filepath.Join(dir, fmt.Sprint(host, plugin, n))
				for i := range best {
					begin := time.Now()
					var err error
					if host == "ours" {
						err = ourStart(ctx, cache, modules[plugin])
					} else {
						err = sdkStart(ctx, cache, modules[plugin])
					}
					if err != nil {
						return err
					}
					best[i] = min(best[i], time.Since(begin))
				}
				os.RemoveAll(cache)
			}
			cells = append(cells, short(best[0]), short(best[1]))
		}
		row(cells...)
	}
	return nil
}

func ourStart(ctx context.Context, cache string, code []byte) error {
	h := wasm.New(wasm.Options{CacheDir: cache, KeyFile: cache + ".key"})
	defer h.Close(ctx)
	_, err := h.Call(ctx, wasm.Module{Name: "m", Bytes: code}, "echo", []byte("hello"), wasm.CallOptions{})
	return err
}

func sdkStart(ctx context.Context, cache string, code []byte) error {
	compiled, err := sdkPlugin(ctx, code, 30_000, cache)
	if err != nil {
		return err
	}
	defer compiled.Close(ctx)
	p, err := sdkInstance(ctx, compiled)
	if err != nil {
		return err
	}
	defer func(p *sdk.Plugin) { p.Close(ctx) }(p)
	_, _, err = p.Call("echo", []byte("hello"))
	return err
}
