package plugins

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/extism"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// ModuleRequest says what to write into a module's manifest beside its tools. Only
// plugins of hyper-mcp list their tools themselves.
type ModuleRequest struct {
	ABI      string // hyper-mcp
	ID       string
	Hosts    []string            // patterns of hosts that it may reach
	Settings []string            // config keys that are texts
	Secrets  map[string][]string // config keys that are secrets, with the hosts that may get them
	// Reading are the tools that only read although the module does not say so, each by
	// the module's name for it or by Errand's. Nil keeps the marks of the installed
	// plugin.
	Reading []string
	// Choose asks the user for Reading, where neither that nor an earlier mark says it.
	// It may be nil.
	Choose func(ctx context.Context, tools []ModuleTool) ([]string, error)

	marked map[string]string // of the installed plugin, see [install.Entry]
}

// describe returns a function that writes the manifest of a module without one. It
// runs the module with its settings and without any grant, and sets m.
func (i *Installer) describe(r *ModuleRequest, m *marks) func(ctx context.Context, file string, code []byte) ([]byte, error) {
	return func(ctx context.Context, file string, code []byte) ([]byte, error) {
		module, err := wasm.Inspect(code)
		if err != nil {
			return nil, nil // the caller reports it
		}
		id := ""
		if r != nil {
			id = r.ID
		}
		if err := i.Set.CheckModule(ctx, id, file, code); err != nil { // no manifest would help
			return nil, err
		}
		switch {
		case r == nil && wasm.IsHyperMCP(&module):
			return nil, tool.NewError(tool.ValidationError, "no_manifest", message.New("plugins.no_manifest", "file", file)).
				WithHint(message.New("plugins.no_manifest_hint"))
		case r == nil:
			return nil, nil
		case r.ABI != string(manifest.HyperMCP):
			return nil, tool.NewError(tool.ValidationError, "bad_abi", message.New("plugins.bad_abi", "abi", r.ABI)).
				WithHint(message.New("plugins.bad_abi_hint"))
		case !manifest.ValidID(r.ID):
			return nil, tool.NewError(tool.ValidationError, "bad_id", message.New("plugins.bad_id", "id", r.ID)).
				WithHint(message.New("plugins.bad_id_hint"))
		}
		h, err := i.Set.Host()
		if err != nil {
			return nil, err
		}
		tools, err := h.DescribeTools(ctx, wasm.Module{Name: file, Bytes: code}, r.ID, i.settings(r))
		if err != nil {
			return nil, err
		}
		if *m, err = r.mark(ctx, file, tools); err != nil {
			return nil, err
		}
		return install.Write(r.manifest(file, module.SHA256, tools))
	}
}

// settings are the values that the config sets for a module, with a placeholder
// for each secret, also for one of an earlier version.
func (i *Installer) settings(r *ModuleRequest) map[string]string {
	config := map[string]string{}
	set := i.Set.o.Config.Plugins.ByID[r.ID].Config
	secret := append(slices.Collect(maps.Keys(r.Secrets)), formerSecrets(i.Set.store(), r.ID)...)
	for _, key := range slices.Concat(r.Settings, slices.Collect(maps.Keys(r.Secrets))) {
		value, ok := set[key]
		switch {
		case ok && slices.Contains(secret, key):
			config[key] = extism.Placeholder(key)
		case ok:
			config[key] = fmt.Sprint(value)
		}
	}
	return config
}

// formerSecrets are the keys of settings that some version of a plugin had as secrets.
// Without the lock only folders of plugins.dirs are loaded.
func formerSecrets(store *install.Store, plugin string) []string {
	lock, _ := store.ReadLock()
	return lock.Secrets[plugin]
}

func (r *ModuleRequest) manifest(file, digest string, tools []wasm.DescribedTool) manifest.Manifest {
	m := manifest.Manifest{
		ID: r.ID, Version: "0.0.0+" + digest[:12], // the module has none
		Description: "A plugin of hyper-mcp", Module: file, SHA256: digest, ABI: manifest.HyperMCP,
		Hosts: append([]string{}, r.Hosts...), Config: map[string]manifest.Config{},
	}
	for _, t := range tools {
		m.Tools = append(m.Tools, t.Tool)
	}
	for _, key := range r.Settings {
		m.Config[key] = manifest.Config{Type: "string"}
	}
	for key, hosts := range r.Secrets {
		m.Config[key] = manifest.Config{Type: "secret", Hosts: hosts}
	}
	return m
}

// moduleRequest is the request that an installed module's manifest was written by;
// nil: the plugin came with a manifest.
func (i *Installer) moduleRequest(e install.Entry) (*ModuleRequest, error) {
	if !e.Described {
		return nil, nil
	}
	m, err := i.Set.store().Manifest(e)
	if err != nil {
		return nil, err
	}
	r := &ModuleRequest{ABI: string(m.ABI), ID: m.ID, Hosts: m.Hosts, Secrets: map[string][]string{}, marked: e.Reading}
	for key, c := range m.Config {
		if c.Type == "secret" {
			r.Secrets[key] = c.Hosts
		} else {
			r.Settings = append(r.Settings, key)
		}
	}
	return r, nil
}
