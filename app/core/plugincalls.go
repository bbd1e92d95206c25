package core

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
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

// PluginMount shows a folder of this machine to a module.
type PluginMount = wasm.Mount

// PluginOutput is what came of a [PluginCall].
type PluginOutput = wasm.Output

// CallPlugin calls a module.
func (a *App) CallPlugin(ctx context.Context, c PluginCall) (PluginOutput, error) {
	b, err := os.ReadFile(c.File)
	if err != nil {
		return PluginOutput{}, tool.Errorf(tool.ValidationError, "module_unreadable", "read the module: %v", err)
	}
	h, err := a.wasm()
	if err != nil {
		return PluginOutput{}, err
	}
	return h.Call(ctx, wasm.Module{Name: c.File, Bytes: b}, c.Function, c.Input, wasm.CallOptions{
		Config: c.Config, AllowHosts: c.AllowHosts, Mounts: c.Mounts, Timeout: c.Timeout, Memory: c.MemoryBytes,
	})
}

// Inspection is what a module says of itself.
type Inspection = wasm.Inspection

// PluginInfo is a loaded plugin in a list.
type PluginInfo struct {
	ID      string   `json:"id"`
	Version string   `json:"version"`
	ABI     string   `json:"abi"`
	Tools   []string `json:"tools"`
	Hosts   []string `json:"hosts"`
	Paths   []string `json:"paths"`
	From    string   `json:"from"`
	Digest  string   `json:"digest"`
}

// Plugins lists the plugins that are loaded.
func (a *App) Plugins() ([]PluginInfo, error) {
	loaded, err := a.plugins()
	if err != nil {
		return nil, err
	}
	list := []PluginInfo{}
	for _, p := range loaded {
		m := p.Manifest()
		info := PluginInfo{
			ID: m.ID, Version: m.Version, ABI: string(m.ABI), Hosts: m.Hosts, Tools: []string{}, Paths: []string{},
			From: p.from, Digest: p.Digest(),
		}
		for _, t := range p.Tools() {
			info.Tools = append(info.Tools, t.Spec().Name)
		}
		for _, path := range m.Paths {
			info.Paths = append(info.Paths, strings.TrimSuffix(fmt.Sprintf("%s:%s", path.Root, path.Mode), ":rw"))
		}
		list = append(list, info)
	}
	return list, nil
}
