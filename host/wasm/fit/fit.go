// Package fit checks whether a module can run: its imports and exports, and
// whether it matches its manifest (ABI and functions of the tools). All callers
// use it, so that the same error always has the same message.
package fit

import (
	"fmt"

	"errand/host/tool"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Check returns why a module does not match the manifest, or nil. name is the
// module's name for messages.
func Check(m *manifest.Manifest, i *inspect.Inspection, name string) *tool.Error {
	switch {
	case i.Problem != "":
		return of(name, Module(i))
	case m.ABI == manifest.WASI && i.Func("_start") == nil:
		return unfit("wrong_abi", message.New("module.wrong_abi", "name", name)).
			WithHint(message.New("module.build_command_and_not"))
	case m.ABI == manifest.WASI && i.ABI == inspect.Extism:
		return unfit("wrong_abi", message.New("module.imports_so_it_is", "name", name, "extism_module", inspect.ExtismModule)).
			WithHint(message.New("module.set_abi_extism"))
	case m.ABI == manifest.HyperMCP && Speaks(i) == hypermcp.None:
		return NoHyperMCP(name)
	}
	if e := Module(i); e != nil {
		return of(name, e)
	}
	if limit := m.Limits.Memory; i.Memory != nil && i.Memory.Min > uint64(limit) {
		return tool.NewError(tool.ExecutionError, "memory_limit", message.New("module.memory_limit", "id", m.ID, "limit", limit, "min", i.Memory.Min)).
			WithHint(message.New("module.raise_limits_memory_in", "file", manifest.File))
	}
	switch m.ABI {
	case manifest.WASI:
		return Function(i, name, "_start")
	case manifest.HyperMCP:
		return nil // Speaks has checked its functions
	}
	for _, t := range m.Tools {
		if e := wanted(i, name, t.Function, fmt.Sprintf(", which tool %s names", t.Name)); e != nil {
			return e
		}
		if entry := m.Entry(t); entry != "" {
			if e := wanted(i, name, entry, fmt.Sprintf(", by which tool %s is reconciled", t.Name)); e != nil {
				return e
			}
		}
	}
	if m.Warmup != "" {
		return wanted(i, name, m.Warmup, ", which warmup names")
	}
	return nil
}

// Alone returns why a module without a manifest can't run, or nil. name is the
// module's name for messages.
func Alone(i *inspect.Inspection, name string) *tool.Error {
	if e := Module(i); e != nil {
		return of(name, e)
	}
	if len(i.Entries()) == 0 {
		return unfit("bad_signature", message.New("module.bad_signature", "name", name)).
			WithHint(message.Verbatim(inputCure))
	}
	return nil
}

// Speaks returns the version of the hyper-mcp protocol that a module implements.
func Speaks(i *inspect.Inspection) hypermcp.Version {
	return hypermcp.Of(func(name string) bool {
		e := i.Func(name)
		return e != nil && e.Entry()
	})
}

// NoHyperMCP returns the error for a module that does not implement hyper-mcp.
func NoHyperMCP(name string) *tool.Error {
	return unfit("wrong_abi", message.New("module.is_no_plugin_hyper", "name", name)).
		WithHint(message.New("module.set_abi_where_it", "extism", manifest.Extism))
}

// unfit returns an error that a retry won't fix.
func unfit(code string, m message.Message) *tool.Error {
	e := tool.NewError(tool.ToolUnavailable, code, message.Verbatim(fmt.Sprintf(format, args...)))
	e.Retriable = false
	return e
}
