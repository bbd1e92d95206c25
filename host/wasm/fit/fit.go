// Package fit holds a module against the manifest that names it: whether it is of
// the ABI that is said there, and exports what the tools there are called by.
package fit

import (
	"fmt"
	"strings"

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
		return unfit("unsupported_module", "%s: %s", name, i.Problem).WithHint("%s", i.Cure)
	case m.ABI == manifest.WASI && i.Func("_start") == nil:
		return unfit("wrong_abi", "%s has no _start, so it is no wasi command", name).
			WithHint("build a command and not a library, or set abi = \"extism\"")
	case m.ABI == manifest.WASI && i.ABI == inspect.Extism:
		return unfit("wrong_abi", "%s imports %s, so it is no wasi command", name, inspect.ExtismModule).
			WithHint("set abi = \"extism\"")
	case m.ABI == manifest.HyperMCP && Speaks(i) == hypermcp.None:
		return NoHyperMCP(name)
	case m.ABI != manifest.Extism:
		return nil
	}
	for _, t := range m.Tools {
		if i.Func(t.Function) == nil {
			return unfit("no_such_function", "%s has no function %q, which tool %s names", name, t.Function, t.Name).
				WithHint("it has %s", strings.Join(i.Funcs(), ", "))
		}
		if entry := m.Entry(t); entry != "" && i.Func(entry) == nil {
			return unfit("no_such_function", "%s has no function %q, by which tool %s is reconciled", name, entry, t.Name).
				WithHint("it has %s", strings.Join(i.Funcs(), ", "))
		}
	}
	if m.Warmup != "" && i.Func(m.Warmup) == nil {
		return unfit("no_such_function", "%s has no function %q, which warmup names", name, m.Warmup).
			WithHint("it has %s", strings.Join(i.Funcs(), ", "))
	}
	return nil
}

// Speaks is the version of hyper-mcp's protocol that a module speaks.
func Speaks(i *inspect.Inspection) hypermcp.Version {
	return hypermcp.Of(func(name string) bool {
		e := i.Func(name)
		return e != nil && (e.Type == "() -> (i32)" || e.Type == "() -> ()")
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
