// Package fit checks whether a module can run: its imports and exports, and
// whether it matches its manifest (ABI and functions of the tools). All callers
// use it, so that the same error always has the same message.
package fit

import (
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
	case !i.Problem.IsZero():
		return withName(name, Module(i))
	case m.ABI == manifest.WASI && i.Func("_start") == nil:
		return tool.UnavailableError("wrong_abi", message.New("module.no_start", "module", name)).
			WithHint(message.New("module.build_command"))
	case m.ABI == manifest.WASI && i.ABI == inspect.Extism:
		return tool.UnavailableError("wrong_abi", message.New("module.not_a_command_but_extism", "module", name, "imported", inspect.ExtismModule)).
			WithHint(message.New("module.set_abi_extism"))
	case m.ABI == manifest.HyperMCP && HyperMCPVersion(i) == hypermcp.None:
		return NotHyperMCP(name)
	}
	if e := Module(i); e != nil {
		return withName(name, e)
	}
	if limit := m.Limits.Memory; i.Memory != nil && i.Memory.Min > uint64(limit) {
		return tool.NewError(tool.ExecutionError, "memory_limit", message.New("module.starts_above_memory_limit", "plugin", m.ID, "limit", limit, "size", i.Memory.Min)).
			WithHint(message.New("module.raise_memory_limit", "file", manifest.File))
	}
	switch m.ABI {
	case manifest.WASI:
		return checkFunction(i, name, "_start", caller())
	case manifest.HyperMCP:
		return nil // HyperMCPVersion has checked its functions
	}
	for _, t := range m.Tools {
		if e := checkFunction(i, name, t.Function, byTool(t.Name)); e != nil {
			return e
		}
		if entry := m.Entry(t); entry != "" {
			if e := checkFunction(i, name, entry, byReconcile(t.Name)); e != nil {
				return e
			}
		}
	}
	if m.Warmup != "" {
		return checkFunction(i, name, m.Warmup, byWarmup())
	}
	return nil
}

// CheckModule returns why a module without a manifest can't run, or nil. name is the
// module's name for messages.
func CheckModule(i *inspect.Inspection, name string) *tool.Error {
	if e := Module(i); e != nil {
		return withName(name, e)
	}
	if len(i.Entries()) == 0 {
		return tool.UnavailableError("bad_signature", message.New("module.no_entry", "module", name)).
			WithHint(exportEntry())
	}
	return nil
}

// HyperMCPVersion returns the version of the hyper-mcp protocol that a module implements.
func HyperMCPVersion(i *inspect.Inspection) hypermcp.Version {
	return hypermcp.DetectVersion(func(name string) bool {
		e := i.Func(name)
		return e != nil && e.Entry()
	})
}

// NotHyperMCP returns the error for a module that does not implement hyper-mcp.
func NotHyperMCP(name string) *tool.Error {
	return tool.UnavailableError("wrong_abi", message.New("module.not_hyper_mcp", "module", name)).
		WithHint(message.New("module.set_abi_if_extism", "abi", manifest.Extism))
}
