package author

import (
	"context"
	"time"

	"errand/app/plugins"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// ModuleCall is one call of a module without a manifest. The module sees
// nothing but what is named here.
type ModuleCall struct {
	File        string
	Function    string // an export, or _start for a WASI command
	Input       []byte
	Config      map[string]string
	AllowHosts  []string
	Mounts      []Mount
	Timeout     time.Duration
	MemoryBytes int64
}

// Bounds of ModuleCall.MemoryBytes, which are those of a manifest.
const (
	MinMemory = int64(manifest.MinMemory)
	MaxMemory = int64(manifest.MaxMemory)
)

// Mount shows a folder of this machine to a module.
type Mount = wasm.Mount

// ModuleOutput is the outcome of a [ModuleCall].
type ModuleOutput = wasm.Output

// CallModule calls a module.
func (k *Kit) CallModule(ctx context.Context, c ModuleCall) (ModuleOutput, error) {
	b, err := k.Set.ReadModule(c.File)
	if err != nil {
		return ModuleOutput{}, err
	}
	h, err := k.Set.Host()
	if err != nil {
		return ModuleOutput{}, err
	}
	out, err := h.Call(ctx, wasm.Module{Name: c.File, Bytes: b}, c.Function, c.Input, wasm.CallOptions{
		Config: c.Config, AllowHosts: c.AllowHosts, Mounts: c.Mounts, Timeout: c.Timeout, Memory: c.MemoryBytes,
	})
	return out, plugins.InputError(err)
}

// Inspection is what a module says of itself.
type Inspection = wasm.Inspection
