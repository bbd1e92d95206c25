package core

import (
	"context"
	"fmt"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/extism"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
)

// ModuleRequest says what a module's manifest is to say beside its tools, which
// it lists itself. Only plugins of hyper-mcp do.
type ModuleRequest struct {
	ABI      string // hyper-mcp
	ID       string
	Hosts    []string            // patterns that it may reach
	Settings []string            // config keys that are texts
	Secrets  map[string][]string // config keys that are secrets, and where they may be sent
}

// describe writes the manifest of a module that comes without one. The module is
// run for it, with its settings and nothing granted.
func (a *App) describe(r *ModuleRequest) func(ctx context.Context, file string, code []byte) ([]byte, error) {
	return func(ctx context.Context, file string, code []byte) ([]byte, error) {
		i, err := wasm.Inspect(code)
		if err != nil {
			return nil, nil // said by whoever reads it next
		}
		if err := runs(ctx, file, code); err != nil { // no manifest would help
			return nil, err
		}
		switch {
		case r == nil && wasm.IsHyperMCP(&i):
			return nil, tool.Errorf(tool.ValidationError, "no_manifest", "%s has no plugin.toml, and is a plugin of hyper-mcp, which can list its tools", file).
				WithHint("add --abi hyper-mcp --id NAME, and --allow-host HOST for each host that it needs")
		case r == nil:
			return nil, nil
		case r.ABI != string(manifest.HyperMCP):
			return nil, tool.Errorf(tool.ValidationError, "bad_abi", "a module of abi %q can't say what its tools are; one of hyper-mcp can", r.ABI).
				WithHint("write a plugin.toml beside it: docs/plugins.md has the format")
		case !manifest.ValidID(r.ID):
			return nil, tool.Errorf(tool.ValidationError, "bad_id", "%q is no plugin's id", r.ID).
				WithHint("give --id a name of lower-case letters, digits and dashes")
		}
		h, err := a.wasm()
		if err != nil {
			return nil, err
		}
		tools, err := h.DescribeTools(ctx, wasm.Module{Name: file, Bytes: code}, r.ID, a.settingsOf(r))
		if err != nil {
			return nil, err
		}
		return install.Write(r.manifest(file, i.SHA256, tools))
	}
}

// settingsOf are the values that the person set for a module that is to be
// described; of a secret it sees the name, as ever.
func (a *App) settingsOf(r *ModuleRequest) map[string]string {
	config := map[string]string{}
	set := a.conf.Plugins.ByID[r.ID].Config
	for _, key := range r.Settings {
		if value, ok := set[key]; ok {
			config[key] = fmt.Sprint(value)
		}
	}
	for key := range r.Secrets {
		if _, ok := set[key]; ok {
			config[key] = extism.Placeholder(key)
		}
	}
	return config
}

func (r *ModuleRequest) manifest(file, digest string, tools []manifest.Tool) manifest.Manifest {
	m := manifest.Manifest{
		ID: r.ID, Version: "0.0.0+" + digest[:12], // nothing in it says a version
		Description: "A plugin of hyper-mcp", Module: file, SHA256: digest, ABI: manifest.HyperMCP,
		Hosts: append([]string{}, r.Hosts...), Config: map[string]manifest.Config{}, Tools: tools,
	}
	for _, key := range r.Settings {
		m.Config[key] = manifest.Config{Type: "string"}
	}
	for key, hosts := range r.Secrets {
		m.Config[key] = manifest.Config{Type: "secret", Hosts: hosts}
	}
	return m
}

// as is what was said of an installed module when its manifest was written.
func (a *App) as(e install.Entry) (*ModuleRequest, error) {
	if !e.Described {
		return nil, nil
	}
	m, err := a.store().Manifest(e)
	if err != nil {
		return nil, err
	}
	r := &ModuleRequest{ABI: string(m.ABI), ID: m.ID, Hosts: m.Hosts, Secrets: map[string][]string{}}
	for key, c := range m.Config {
		if c.Type == "secret" {
			r.Secrets[key] = c.Hosts
		} else {
			r.Settings = append(r.Settings, key)
		}
	}
	return r, nil
}
