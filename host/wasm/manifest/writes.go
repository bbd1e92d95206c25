package manifest

import (
	"encoding/json"
	"maps"
	"slices"

	"errand/host/tool"
	"errand/planner/message"
)

// HasWritable reports whether the plugin has a folder that it may change.
func (m *Manifest) HasWritable() bool {
	return slices.ContainsFunc(m.Paths, func(p Path) bool { return p.Mode == "rw" })
}

// writtenArgs returns [tool.Spec.Writes] of a tool: what the manifest says, else every
// argument that the schema marks as a path, else any path.
func (m *Manifest) writtenArgs(t Tool) []string {
	switch {
	case t.SideEffectClass == tool.Read || !m.HasWritable():
		return nil
	case t.Writes != nil:
		return t.Writes
	}
	if paths := pathArguments(t.ArgsSchema); len(paths) > 0 {
		return paths
	}
	return []string{tool.AnyPath}
}

// reach returns [tool.Spec.Reach] of a tool.
func (t Tool) reach() map[string]tool.Reach {
	if len(t.WritesItself)+len(t.ReadsItself) == 0 {
		return nil
	}
	reach := map[string]tool.Reach{}
	for _, name := range slices.Concat(t.WritesItself, t.ReadsItself) {
		reach[name] = tool.ReachItself
	}
	return reach
}

// pathArguments returns the sorted names of the arguments that are, or contain, texts
// with "format": "path" that the host converts.
func pathArguments(schema string) (names []string) {
	var node struct {
		Properties map[string]any `json:"properties"`
	}
	if json.Unmarshal([]byte(schema), &node) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(node.Properties)) {
		if convertsPaths(node.Properties[name]) {
			names = append(names, name)
		}
	}
	return names
}

// convertsPaths reports whether the host finds a path in values of a decoded schema: it
// follows properties and items, and no other keyword.
func convertsPaths(node any) bool {
	schema, _ := node.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	for _, v := range properties {
		if convertsPaths(v) {
			return true
		}
	}
	return tool.IsPath(node) || schema["items"] != nil && convertsPaths(schema["items"])
}

// checkWrites checks the arguments that a tool names in writes, writes_itself and reads_itself.
func (m *Manifest) checkWrites(f *problems, at string, where toolPlace, t Tool) {
	for _, name := range t.ReadsItself {
		isRead := slices.Contains(pathArguments(t.ArgsSchema), name) && !slices.Contains(m.writtenArgs(t), name)
		f.require(isRead, at+".reads_itself", where.problem(message.New("manifest.reads_itself_not_read", "argument", name)))
	}
	for _, name := range t.WritesItself {
		f.require(name != tool.AnyPath && slices.Contains(m.writtenArgs(t), name), at+".writes_itself", where.problem(message.New("manifest.writes_itself_not_written", "argument", name)))
	}
	if t.Writes == nil {
		return
	}
	require := func(ok bool, fault message.Message) { f.require(ok, at+".writes", where.problem(fault)) }
	require(t.SideEffectClass != tool.Read, message.New("manifest.writes_of_read"))
	require(m.HasWritable(), message.New("manifest.writes_without_folder"))
	if len(t.Writes) == 1 && t.Writes[0] == tool.AnyPath {
		return
	}
	paths := pathArguments(t.ArgsSchema)
	for _, name := range t.Writes {
		require(slices.Contains(paths, name), message.New("manifest.writes_no_path", "argument", name))
	}
}
