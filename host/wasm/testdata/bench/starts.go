package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"errand/host/wasm"
)

// starts measures the first call of a plugin in a program, from the module's bytes to
// the answer. Cold means that nothing is compiled; cached means that an earlier run of
// the program compiled the module. Each start is a process of its own, because a
// later start in one process would reuse memory and tables of the first.
func starts(_ context.Context, dir string, modules map[string][]byte) error {
	head("From the module's bytes to the first answer", "plugin", "module", "ours, cold", "ours, cached", "SDK, cold", "SDK, cached")
	const caches, runs = 3, 15
	for _, plugin := range []string{"go", "rust", "c", "as"} {
		cold, cached := map[string][]time.Duration{}, map[string][]time.Duration{}
		for n := range caches {
			for run := range runs {
				for _, host := range []string{"ours", "sdk"} {
					took, err := startProcess(host, filepath.Join(dir, fmt.Sprint(host, plugin, n)), filepath.Join(dir, plugin+".wasm"))
					if err != nil {
						return err
					}
					if run == 0 {
						cold[host] = append(cold[host], took)
					} else {
						cached[host] = append(cached[host], took)
					}
				}
			}
		}
		cells := []string{plugin, fmt.Sprintf("%.1f KB", float64(len(modules[plugin]))/1000)}
		for _, host := range []string{"ours", "sdk"} {
			cells = append(cells, short(slices.Min(cold[host])), leastAndMedian(cached[host]))
		}
		row(cells...)
	}
	return nil
}

func leastAndMedian(d []time.Duration) string {
	slices.Sort(d)
	return short(d[0]) + ", median " + short(d[len(d)/2])
}

// startArgument makes this program measure one start: host, cache and module follow.
const startArgument = "start-one"

func startProcess(host, cache, module string) (time.Duration, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self, startArgument, host, cache, module)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("start with %s: %w", host, err)
	}
	ns, err := strconv.ParseInt(string(out), 10, 64)
	return time.Duration(ns), err
}

// startOne prints how many nanoseconds a start takes.
func startOne(ctx context.Context, host, cache, module string) error {
	code, err := os.ReadFile(module)
	if err != nil {
		return err
	}
	start := sdkStart
	if host == "ours" {
		start = ourStart
	}
	begin := time.Now()
	took, err := start(ctx, begin, cache, code)
	fmt.Print(int64(took))
	return err
}

func ourStart(ctx context.Context, begin time.Time, cache string, code []byte) (time.Duration, error) {
	h := wasm.New(wasm.Options{CacheDir: cache, KeyFile: cache + ".key"})
	defer h.Close(ctx)
	_, err := h.Call(ctx, wasm.Module{Name: "m", Bytes: code}, "echo", []byte("hello"), wasm.CallOptions{})
	return time.Since(begin), err
}

func sdkStart(ctx context.Context, begin time.Time, cache string, code []byte) (time.Duration, error) {
	compiled, err := sdkPlugin(ctx, code, 30_000, cache)
	if err != nil {
		return 0, err
	}
	defer compiled.Close(ctx)
	p, err := sdkInstance(ctx, compiled)
	if err != nil {
		return 0, err
	}
	defer p.Close(ctx)
	_, _, err = p.Call("echo", []byte("hello"))
	return time.Since(begin), err
}
