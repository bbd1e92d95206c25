package manifest

import (
	"strings"

	"errand/host/tool"
	"errand/planner/message"
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

// OwnsTool reports whether the plugin may use a tool name: its id, or its id, a dot
// and more. The bundled plugins share their ids with built-in tools.
func (m *Manifest) OwnsTool(name string) bool { return m.ownsName(name) && m.isToolName(name) }

// isToolName reports whether a name is a valid tool name.
func (m *Manifest) isToolName(name string) bool {
	return len(name) <= 64 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == ""
}

// checkReconcile checks a tool's settings for undoing calls and for finding their
// outcome.
func (m *Manifest) checkReconcile(f *problems, at string, t Tool) {
	bad := func(key string, m message.Message) {
		f.require(false, at+"."+key, message.New("manifest.in_tool", "tool", t.Name, "fault", m))
	}
	if t.SideEffectClass == tool.Read {
		if t.Reversible {
			bad("reversible", message.New("manifest.reversible_of_read"))
		}
		if t.Reconcile != "" {
			bad("reconcile", message.New("manifest.reconcile_of_read"))
		}
		return
	}
	if m.ABI == HyperMCP && (t.Reversible || t.Reconcile != "") {
		key := "reconcile"
		if t.Reversible {
			key = "reversible"
		}
		bad(key, message.New("manifest.back_of_mcp"))
		return
	}
	if t.Reversible && m.ABI == Extism {
		bad("reversible", message.New("manifest.reversible_of_extism"))
	}
	if t.Reconcile == "" {
		return
	}
	if t.Reconcile == t.Name || t.Reconcile == t.Function {
		bad("reconcile", message.New("manifest.reconcile_is_itself"))
		return
	}
	for _, other := range m.Tools {
		switch {
		case other.Name == t.Reconcile && other.SideEffectClass != tool.Read:
			bad("reconcile", message.New("manifest.reconcile_tool_changes", "tool", other.Name, "class", other.SideEffectClass))
		case other.Name == t.Reconcile:
			return
		case m.ABI == Extism && other.Function == t.Reconcile && other.SideEffectClass != tool.Read:
			bad("reconcile", message.New("manifest.reconcile_function_changes", "tool", other.Name, "class", other.SideEffectClass))
		}
	}
	if m.ABI == WASI && !m.OwnsTool(t.Reconcile) {
		bad("reconcile", message.New("manifest.reconcile_of_other_plugin", "name", t.Reconcile, "proper", m.proper(t.Reconcile)))
	}
}
