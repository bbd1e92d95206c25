package manifest

import (
	"encoding/json"
	"slices"

	"errand/host/tool"
	"errand/planner/message"
)

// MayReplace reports whether a call of the tool with these arguments may replace files that
// exist: its argument Replaces is true, or is left out and true by default.
func (t Tool) MayReplace(args map[string]any) bool {
	if t.Replaces == "" {
		return false
	}
	if v, given := args[t.Replaces]; given {
		return v == true
	}
	return string(t.argument(t.Replaces)["default"]) == "true"
}

// argument returns a property of args_schema.
func (t Tool) argument(name string) map[string]json.RawMessage {
	var schema struct {
		Properties map[string]map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal([]byte(t.ArgsSchema), &schema) // checked already
	return schema.Properties[name]
}

// checkReplaces checks the argument that a tool names in replaces.
func (m *Manifest) checkReplaces(f *problems, at string, where toolPlace, t Tool) {
	if t.Replaces == "" {
		return
	}
	require := func(ok bool, fault message.Message) { f.require(ok, at+".replaces", where.problem(fault)) }
	if t.SideEffectClass == tool.Read {
		require(false, message.New("manifest.replaces_of_read"))
		return
	}
	require(string(t.argument(t.Replaces)["type"]) == `"boolean"`, message.New("manifest.replaces_no_boolean", "argument", t.Replaces))
	paths := m.writtenArgs(t)
	require(len(paths) > 0 && !slices.Contains(paths, tool.AnyPath), message.New("manifest.replaces_without_path"))
}
