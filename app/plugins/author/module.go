package core

import (
	"context"
	"time"

	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// PluginCall is one call of a module without a manifest. The module sees
// nothing but what is named here.
type PluginCall struct {
	File        string
	Function    string // an export, or _start for a WASI command
	Input       []byte
	Config      map[string]string
	AllowHosts  []string
	Mounts      []PluginMount
	Timeout     time.Duration
	MemoryBytes int64
}

// Bounds of PluginCall.MemoryBytes, which are those of a manifest.
const (
	LeastMemory = int64(manifest.MinMemory)
	MostMemory  = int64(manifest.MaxMemory)
)

// PluginMount shows a folder of this machine to a module.
type PluginMount = wasm.Mount

// PluginOutput is what came of a [PluginCall].
type PluginOutput = wasm.Output

// CallPlugin calls a module.
func (a *App) CallPlugin(ctx context.Context, c PluginCall) (PluginOutput, error) {
	b, err := a.readModule(c.File)
	if err != nil {
		return PluginOutput{}, err
	}
	h, err := a.wasm()
	if err != nil {
		return PluginOutput{}, err
	}
	out, err := h.Call(ctx, wasm.Module{Name: c.File, Bytes: b}, c.Function, c.Input, wasm.CallOptions{
		Config: c.Config, AllowHosts: c.AllowHosts, Mounts: c.Mounts, Timeout: c.Timeout, Memory: c.MemoryBytes,
	})
	return out, misnamed(err)
}

// Inspection is what a module says of itself.
type Inspection = wasm.Inspection
