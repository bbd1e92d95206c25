package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	sdk "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"

	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// cases are the measured calls: plugin, function and input.
var cases = []struct {
	plugin, function string
	input            []byte
}{
	{"go", "empty", nil},
	{"go", "echo", []byte("hello world")},
	{"go", "echo", megabyte},
	{"go", "reshape", object},
	{"rust", "empty", nil},
	{"rust", "echo", []byte("hello world")},
	{"rust", "echo", megabyte},
	{"rust", "vowels", megabyte},
	{"c", "empty", nil},
	{"c", "echo", []byte("hello world")},
	{"c", "echo", megabyte},
	{"c", "vowels", megabyte},
	{"as", "empty", nil},
	{"as", "echo", []byte("hello world")},
	{"as", "echo", megabyte},
}

var (
	megabyte = bytes.Repeat([]byte("the quick brown "), 1<<16)
	object   = []byte(`{"name":"ann","n":[1,2,3]}`)
)

// calls measures calls of each host.
func calls(ctx context.Context, _ string, modules map[string][]byte) error {
	head("Calls", "plugin, function, input", "fuel", "ours, fresh", "ours, sticky", "SDK", "SDK, new instance", "SDK, timeout", "SDK, timeout, new instance",
		"fresh against SDK with timeout", "and its new instance")
	h := wasm.New(wasm.Options{})
	defer h.Close(ctx)
	for _, c := range cases {
		m := wasm.Module{Name: c.plugin, Bytes: modules[c.plugin]}
		// The AssemblyScript plugin frees no memory between sticky calls.
		o := wasm.CallOptions{Warmup: map[string]string{"reshape": "warm"}[c.function], Memory: 3 << 30}
		var ours [2]time.Duration
		var fuel uint64
		for i, state := range []manifest.State{manifest.Fresh, manifest.Sticky} {
			s, err := h.Session(m, state, o)
			if err != nil {
				return err
			}
			out, err := s.Call(ctx, c.function, c.input)
			if err != nil || out.ExitCode != 0 || c.function == "echo" && !bytes.Equal(out.Data, c.input) {
				return fmt.Errorf("%s.%s: code %d, %s, %w", c.plugin, c.function, out.ExitCode, out.Error, err)
			}
			fuel = out.Fuel
			if ours[i], err = least(func() error {
				_, err := s.Call(ctx, c.function, c.input)
				return err
			}); err != nil {
				return err
			}
			if err := s.Close(ctx); err != nil {
				return err
			}
		}
		var peers [2][2]time.Duration
		for i, timeout := range []uint64{0, 30_000} {
			compiled, err := sdkPlugin(ctx, modules[c.plugin], timeout, "")
			if err != nil {
				return err
			}
			for fresh := range 2 {
				if peers[i][fresh], err = sdkCall(ctx, compiled, c.function, c.input, fresh == 1); err != nil {
					return err
				}
			}
			compiled.Close(ctx)
		}
		row(fmt.Sprintf("%s %s %s", c.plugin, c.function, size(c.input)), fmt.Sprint(fuel), short(ours[0]), short(ours[1]),
			short(peers[0][0]), short(peers[0][1]), short(peers[1][0]), short(peers[1][1]), times(peers[1][0], ours[0]), times(peers[1][1], ours[0]))
	}
	return nil
}

func size(b []byte) string {
	if len(b) >= 1<<20 {
		return fmt.Sprintf("%d MiB", len(b)>>20)
	}
	return fmt.Sprintf("%d B", len(b))
}

func sdkPlugin(ctx context.Context, code []byte, timeout uint64, cache string) (*sdk.CompiledPlugin, error) {
	config := sdk.PluginConfig{EnableWasi: true, RuntimeConfig: wazero.NewRuntimeConfig()}
	if cache != "" {
		c, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, err
		}
		config.RuntimeConfig = config.RuntimeConfig.WithCompilationCache(c)
	}
	return sdk.NewCompiledPlugin(ctx, sdk.Manifest{Wasm: []sdk.Wasm{sdk.WasmData{Data: code}}, Timeout: timeout}, config, nil)
}

func sdkInstance(ctx context.Context, compiled *sdk.CompiledPlugin) (*sdk.Plugin, error) {
	return compiled.Instance(ctx, sdk.PluginInstanceConfig{ModuleConfig: wazero.NewModuleConfig().WithSysWalltime().WithSysNanotime()})
}

// sdkCall measures calls of one instance, or of a new one each.
func sdkCall(ctx context.Context, compiled *sdk.CompiledPlugin, function string, input []byte, fresh bool) (time.Duration, error) {
	p, err := sdkInstance(ctx, compiled)
	if err != nil {
		return 0, err
	}
	defer p.Close(ctx)
	return least(func() error {
		p := p
		if fresh {
			if p, err = sdkInstance(ctx, compiled); err != nil {
				return err
			}
			defer p.Close(ctx)
		}
		code, _, err := p.CallWithContext(ctx, function, input)
		if err != nil || code != 0 {
			return fmt.Errorf("the SDK's call of %s: code %d, %w", function, code, err)
		}
		return nil
	})
}
