// Package fit says whether a module can be run here, by what it imports and
// exports, and whether it is the one that a manifest means: of its ABI, with the
// functions that its tools are called by. Whoever looks at a module, runs or
// refuses it, asks here, so that the same fault is told in the same words.
package fit

import (
	"fmt"

	"errand/host/tool"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
)

// Check says why a module can't be the one of the manifest, nil where it can.
// name is the module's for messages.
func Check(m *manifest.Manifest, i *inspect.Inspection, name string) *tool.Error {
	switch {
	case i.Problem != "":
		return of(name, Module(i))
	case m.ABI == manifest.WASI && i.Func("_start") == nil:
		return unfit("wrong_abi", "%s has no _start, so it is no wasi command", name).
			WithHint("build a command and not a library, or set abi = \"extism\"")
	case m.ABI == manifest.WASI && i.ABI == inspect.Extism:
		return unfit("wrong_abi", "%s imports %s, so it is no wasi command", name, inspect.ExtismModule).
			WithHint("set abi = \"extism\"")
	case m.ABI == manifest.HyperMCP && Speaks(i) == hypermcp.None:
		return NoHyperMCP(name)
	}
	if e := Module(i); e != nil {
		return of(name, e)
	}
	if limit := m.Limits.Memory; i.Memory != nil && i.Memory.Min > uint64(limit) {
		return tool.Errorf(tool.ExecutionError, "memory_limit", "plugin %s needs more than its memory limit of %s: it starts with %d bytes", m.ID, limit, i.Memory.Min).
			WithHint("raise limits.memory in the plugin's %s", manifest.File)
	}
	switch m.ABI {
	case manifest.WASI:
		return Function(i, name, "_start")
	case manifest.HyperMCP:
		return nil // its functions are what Speaks looked at
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

// Alone says why a module without a manifest can't be run, by any function; nil
// where it can. name is the module's for messages.
func Alone(i *inspect.Inspection, name string) *tool.Error {
	if e := Module(i); e != nil {
		return of(name, e)
	}
	if len(i.Entries()) == 0 {
		return unfit("bad_signature", "%s exports no function that takes nothing and answers nothing or an i32, so there is nothing in it to call", name).
			WithHint("%s", inputCure)
	}
	return nil
}

// Speaks is the version of hyper-mcp's protocol that a module speaks.
func Speaks(i *inspect.Inspection) hypermcp.Version {
	return hypermcp.Of(func(name string) bool {
		e := i.Func(name)
		return e != nil && e.Entry()
	})
}

// NoHyperMCP refuses a module that is no plugin of hyper-mcp.
func NoHyperMCP(name string) *tool.Error {
	return unfit("wrong_abi", "%s is no plugin of hyper-mcp: it exports neither describe and call nor list_tools and call_tool", name).
		WithHint("set abi = %q where it is a plain Extism plugin", manifest.Extism)
}

// unfit is an error that trying again won't help.
func unfit(code, format string, args ...any) *tool.Error {
	e := tool.Errorf(tool.ToolUnavailable, code, "%s", fmt.Sprintf(format, args...))
	e.Retriable = false
	return e
}
