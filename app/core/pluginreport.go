package core

import (
	"os"
	"path/filepath"
	"slices"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/inspect"
	"errand/host/wasm/kit"
	"errand/host/wasm/stack"
)

// PluginReport is all that can be said of a module without running it.
type PluginReport struct {
	Inspection
	File    string        `json:"file"`
	Profile PluginProfile `json:"profile"`
	Asks    []inspect.Ask `json:"asks"`             // what its plugin.toml will need
	Missing []string      `json:"missing"`          // imports that no host function answers, and what helps
	Unused  []string      `json:"unused,omitempty"` // of a folder: what its plugin.toml asks for and the module can't use
	Fault   *tool.Error   `json:"fault,omitempty"`  // of a folder: why it can't be loaded
}

// PluginProfile is where a module's bytes are.
type PluginProfile = inspect.Profile

// ReportPlugin reads a module, or that of a plugin's folder, which is then held
// against its manifest. Nothing is compiled or run.
func ReportPlugin(name string) (PluginReport, error) {
	r := PluginReport{File: name, Missing: []string{}}
	info, err := os.Stat(name)
	folder := err == nil && info.IsDir()
	if folder {
		m, err := kit.ReadManifest(name)
		if err != nil {
			return r, err
		}
		r.File = filepath.Join(name, m.Module)
	}
	b, err := os.ReadFile(r.File)
	if err != nil {
		return r, tool.Errorf(tool.ValidationError, "module_unreadable", "read the module: %v", err)
	}
	if r.Inspection, err = inspect.Read(b); err != nil {
		return r, tool.Errorf(tool.ValidationError, "bad_module", "%s: %v", r.File, err)
	}
	r.Asks = r.Inspection.Asks()
	if r.ABI != inspect.Component {
		if r.Profile, err = inspect.Measure(b); err != nil {
			return r, tool.Errorf(tool.ValidationError, "bad_module", "%s: %v", r.File, err)
		}
	}
	for i := range r.Profile.Functions {
		f := &r.Profile.Functions[i]
		f.Name = stack.Demangle(f.Name)
	}
	for _, i := range r.Imports {
		if why := i.Cure(); why != "" && i.Module != inspect.ExtismModule && r.Problem == "" {
			r.Missing = append(r.Missing, i.Kind+" "+i.Module+" "+i.Name+": "+why)
		}
	}
	if folder {
		return r, r.held(name)
	}
	return r, nil
}

// held holds the module of a folder against its manifest.
func (r *PluginReport) held(folder string) error {
	m, err := kit.ReadManifest(folder)
	if err != nil {
		return err
	}
	h := wasm.New(wasm.Options{})
	if _, err := h.Load(os.DirFS(folder)); err != nil {
		r.Fault = tool.AsError(err)
	}
	for _, asked := range []struct {
		ask  bool
		need string
		what string
	}{
		{len(m.Hosts) > 0, "network", "hosts: the module makes no HTTP requests"},
		{len(m.Paths) > 0, "files", "[[paths]]: the module opens no files"},
		{len(m.Config) > 0 && r.ABI == inspect.Extism, "config", "[config]: the module reads no settings"},
	} {
		if asked.ask && !slices.Contains(r.Needs, asked.need) {
			r.Unused = append(r.Unused, asked.what)
		}
	}
	return nil
}
