package manifest

import (
	"strings"

	"errand/host/tool"
)

// Entry returns how to ask the module for the outcome of a call of t: the name for
// a WASI command, or the function of an Extism plugin. It is "" if the module
// can't tell.
func (m *Manifest) Entry(t Tool) string {
	if m.ABI == Extism {
		for _, other := range m.Tools {
			if other.Name == t.Reconcile {
				return other.Function
			}
		}
	}
	return t.Reconcile
}

// Owns reports whether the plugin may use a tool name: its id, or its id, a dot
// and more. The bundled plugins share their ids with built-in tools.
func (m *Manifest) Owns(name string) bool { return m.owns(name) && m.named(name) }

// named reports whether a name is a valid tool name.
func (m *Manifest) named(name string) bool {
	return len(name) <= 64 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == ""
}

// checkBack checks a tool's settings for undoing calls and for finding their
// outcome.
func (m *Manifest) checkBack(f *faults, at string, t Tool) {
	bad := func(key, format string, args ...any) {
		f.require(false, at+"."+key, "tool %s: "+format, append([]any{t.Name}, args...)...)
	}
	if t.SideEffectClass == tool.Read {
		if t.Reversible {
			bad("reversible", "reversible is for tools that change something; side_effect_class is read")
		}
		if t.Reconcile != "" {
			bad("reconcile", "reconcile is for tools that change something; side_effect_class is read")
		}
		return
	}
	if m.ABI == HyperMCP && (t.Reversible || t.Reconcile != "") {
		key := "reconcile"
		if t.Reversible {
			key = "reversible"
		}
		bad(key, "reversible and reconcile are nothing that a tool of hyper-mcp can answer")
		return
	}
	if t.Reversible && m.ABI == Extism {
		bad("reversible", "reversible needs abi wasi: the output of an Extism function is its payload, and can't say how to take the call back")
	}
	if t.Reconcile == "" {
		return
	}
	if t.Reconcile == t.Name || t.Reconcile == t.Function {
		bad("reconcile", "reconcile must be another entry: this one is what makes the change")
		return
	}
	for _, other := range m.Tools {
		switch {
		case other.Name == t.Reconcile && other.SideEffectClass != tool.Read:
			bad("reconcile", "reconcile names tool %s, whose side_effect_class is %s: it must be read", other.Name, other.SideEffectClass)
		case other.Name == t.Reconcile:
			return
		case m.ABI == Extism && other.Function == t.Reconcile && other.SideEffectClass != tool.Read:
			bad("reconcile", "reconcile names the function of tool %s, whose side_effect_class is %s: it must be read", other.Name, other.SideEffectClass)
		}
	}
	if m.ABI == WASI && !m.Owns(t.Reconcile) {
		bad("reconcile", "reconcile %q: a plugin's entries are named after it: call it %q", t.Reconcile, m.proper(t.Reconcile))
	}
}
