package extism_test

import (
	"context"
	"strings"
	"testing"

	sdkhost "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"errand/build/must"
	"errand/host/wasm/extism"
)

// BenchmarkAgainstTheSDK calls the same warm plugins with this kernel and with the Extism Go SDK.
// The time includes the copy of the output. Neither host meters the call or limits its time.
func BenchmarkAgainstTheSDK(b *testing.B) {
	for _, plugin := range []struct {
		name, function string
		code           []byte
	}{
		{"echo", "echo", guestCode(b)},
		{"count vowels (Rust)", "count_vowels", fixture(b, "count_vowels.wasm")},
	} {
		for _, host := range []struct {
			name string
			open func(b *testing.B, code []byte, function string) func(input []byte) error
		}{{"ours", ours}, {"sdk", sdks}} {
			call := host.open(b, plugin.code, plugin.function)
			for _, size := range []struct {
				name string
				n    int
			}{{"empty", 0}, {"11 B", 11}, {"1 MiB", 1 << 20}} {
				input := []byte(strings.Repeat("hello world", 1+size.n/11)[:size.n])
				b.Run(plugin.name+"/"+size.name+"/"+host.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						must.Succeed(b, call(input))
					}
				})
			}
		}
	}
}

func ours(b *testing.B, code []byte, function string) func([]byte) error {
	ctx := context.Background()
	w := newWorld(b, wazero.NewRuntimeConfig())
	wasi_snapshot_preview1.MustInstantiate(ctx, w.runtime)
	k, err := w.abi.New(ctx, 64<<20, nil, nil)
	must.Succeed(b, err)
	c := &extism.Call{Limits: extism.DefaultLimits()}
	must.Succeed(b, k.Begin(ctx, c, nil))
	compiled, err := w.runtime.CompileModule(ctx, code)
	must.Succeed(b, err)
	m, err := w.runtime.InstantiateModule(k.Link(c, nil), compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	must.Succeed(b, err)
	f := m.ExportedFunction(function)
	var stack [1]uint64
	return func(input []byte) error {
		clear(c.Vars)
		if err := k.Begin(ctx, c, input); err != nil {
			return err
		}
		err := f.CallWithStack(c, stack[:])
		k.Output()
		return err
	}
}

func sdks(b *testing.B, code []byte, function string) func([]byte) error {
	ctx := context.Background()
	p, err := sdkhost.NewPlugin(ctx, sdkhost.Manifest{Wasm: []sdkhost.Wasm{sdkhost.WasmData{Data: code}}}, sdkhost.PluginConfig{EnableWasi: true}, nil)
	must.Succeed(b, err)
	b.Cleanup(func() { p.Close(ctx) })
	return func(input []byte) error {
		_, _, err := p.Call(function, input)
		return err
	}
}
