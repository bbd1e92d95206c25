package author

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"errand/app/plugins"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/fit"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/inspect"
	"errand/host/wasm/install"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// Report is all that can be said of a module without running it.
type Report struct {
	Inspection
	wasm.Foresight
	File    string            `json:"file"`
	Profile Profile           `json:"profile"`
	Asks    []inspect.Ask     `json:"asks"`             // what its plugin.toml will need
	Missing []message.Message `json:"missing"`          // imports that are not linked here, why, and what helps
	Unused  []message.Message `json:"unused,omitempty"` // of a folder: what its plugin.toml asks for and the module can't use
	Error   *tool.Error       `json:"fault,omitempty"`  // why it can't be loaded or called: what doing so would answer
}

// Import is something that a module asks of its host.
type Import = inspect.Import

// Profile is where a module's bytes are.
type Profile = inspect.Profile

// Report reads a module, or the module of a plugin's folder or an installed plugin, and
// compares it with its manifest, if there is one. It doesn't compile or run the module.
func (k *Kit) Report(ctx context.Context, name string) (Report, error) {
	r := Report{File: name, Missing: []message.Message{}}
	var at plugins.Place
	var b []byte
	info, err := os.Stat(name)
	folder := err != nil || info.IsDir()
	if folder {
		if at, err = k.Set.Find(name); err != nil {
			return r, err
		}
		r.File = filepath.Join(at.Name(), at.Manifest.Module)
		if info, err := fs.Stat(at.FS(), at.Manifest.Module); err == nil && info.Size() > wasm.MaxModule {
			return r, plugins.SizeError(r.File)
		}
		if b, err = install.ReadFile(at.FS(), at.Manifest.Module, install.MaxModule); err != nil {
			return r, unbuilt(r.File, err)
		}
	} else if b, err = k.Set.ReadModule(name); err != nil {
		return r, err
	}
	if r.Inspection, err = inspect.Read(b); err != nil {
		return r, tool.NewError(tool.ValidationError, "bad_module", message.New("author.bad_module", "file", r.File, "cause", err)).WithHint(message.New("author.build_plugin_again"))
	}
	called, id := r.File, ""
	if folder {
		id = at.Manifest.ID
		called = at.Manifest.ID + "/" + at.Manifest.Module
	}
	if r.Foresight, err = wasm.Foresee(ctx, wasm.Module{Name: called, Bytes: b}, k.Set.Effort(id)); err != nil {
		if ctx.Err() != nil {
			return r, err
		}
		r.Error = tool.AsError(plugins.InputError(err))
		r.Problem, r.Cure = withoutModuleName(r.Error.Message), r.Error.Hint
	} else if !folder {
		r.Error = fit.CheckModule(&r.Inspection, called)
	}
	r.Asks = r.Inspection.Asks()
	mcp := fit.HyperMCPVersion(&r.Inspection)
	if r.ABI == inspect.Extism && mcp != hypermcp.None {
		r.Asks[0] = inspect.Ask{Line: `abi = "hyper-mcp"`, Why: message.New("author.speaks_mcp", "list", mcp.List(), "call", mcp.Call())}
	}
	if r.ABI != inspect.Component {
		if r.Profile, err = inspect.Measure(b); err != nil {
			return r, tool.NewError(tool.ValidationError, "bad_module", message.New("author.bad_module", "file", r.File, "cause", err))
		}
	}
	for i := range r.Profile.Functions {
		f := &r.Profile.Functions[i]
		f.Name = stack.Demangle(f.Name)
	}
	for _, i := range r.Imports {
		if !i.Fault.IsZero() {
			r.Missing = append(r.Missing, message.New("module.missing_import", "import", i, "fault", i.Fault, "cure", i.Fix()))
		}
	}
	if folder {
		k.compare(&r, at)
	}
	return r, nil
}

// withoutModuleName returns a module's error without the module's name.
func withoutModuleName(m message.Message) message.Message {
	if fault, ok := m.Params["fault"].(message.Message); ok && m.Code == "module.of" {
		return fault
	}
	return m
}

// unbuilt is why a plugin's module can't be read.
func unbuilt(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return tool.NewError(tool.ValidationError, "no_module", message.New("author.no_module", "file", file)).WithHint(message.New("author.build_plugin"))
	}
	return tool.NewError(tool.ValidationError, "module_unreadable", message.New("author.module_unreadable", "cause", tool.FileFault(err))).WithHint(message.New("author.build_plugin"))
}

// compare compares the module of a folder with its manifest.
func (k *Kit) compare(r *Report, at plugins.Place) {
	m := at.Manifest
	reserved, err := plugins.ReservedIDs()
	if err != nil {
		r.Error = tool.AsError(err)
		return
	}
	h := wasm.New(wasm.Options{Reserved: reserved})
	defer closeHost(h)
	if _, err := k.Set.LoadInto(h, at); err != nil { // which comes before any call
		r.Error = tool.AsError(err)
	} else if err := plugins.CheckPhrases(k.Set, &m); err != nil {
		r.Error = tool.AsError(err)
	}
	for _, entry := range []struct {
		ask     bool
		need    string
		subject message.Message
	}{
		{len(m.Hosts) > 0, "network", message.New("author.unused_hosts")},
		{len(m.Paths) > 0, "files", message.New("author.unused_paths")},
		{len(m.Config) > 0 && r.ABI == inspect.Extism, "config", message.New("author.unused_config")},
	} {
		if entry.ask && !slices.Contains(r.Needs, entry.need) {
			r.Unused = append(r.Unused, entry.subject)
		}
	}
}
