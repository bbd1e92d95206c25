package plugins

import (
	"context"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// ModuleTool is a tool of a module that lists its tools itself.
type ModuleTool struct {
	Name        string // as Errand calls it
	Description string
	Reads       bool
	Declared    bool // the module says itself whether the tool changes something
}

// marks are the tools of a module that the user says only read.
type marks struct {
	definitions map[string]string // by the module's own name, the digest of the tool's definition
	withdrawn   []string          // tools that the user marked before, whose definition changed
}

// names are the tools of the marks, by the module's own names.
func (m marks) names() []string { return slices.Sorted(maps.Keys(m.definitions)) }

// mark gives the tools that the user says only read the class read. file is the
// module's name, for messages.
func (r *ModuleRequest) mark(ctx context.Context, file string, tools []wasm.DescribedTool) (m marks, err error) {
	m.definitions = map[string]string{}
	names := r.Reading
	if names == nil {
		names = m.renew(r.marked, tools)
	}
	if names == nil && r.Choose != nil && slices.ContainsFunc(tools, func(t wasm.DescribedTool) bool { return !t.Declared }) {
		if names, err = r.Choose(ctx, moduleTools(tools)); err != nil {
			return m, err
		}
		for i, name := range names { // it chooses by Errand's names
			if at := slices.IndexFunc(tools, func(t wasm.DescribedTool) bool { return t.Name == name }); at >= 0 {
				names[i] = tools[at].Function
			}
		}
	}
	for _, name := range names {
		t, err := r.find(file, name, tools)
		if err != nil {
			return m, err
		}
		switch {
		case !t.Declared:
			m.definitions[t.Function] = t.Definition
			t.SideEffectClass, t.Effect = tool.Read, tool.EffectRead
		case t.SideEffectClass != tool.Read:
			return m, tool.NewError(tool.ValidationError, "tool_changes", message.New("plugins.tool_changes", "file", file, "tool", t.Name)).
				WithHint(message.New("plugins.tool_changes_hint"))
		}
	}
	if len(m.definitions) == 0 {
		m.definitions = nil
	}
	return m, nil
}

// find returns the tool with the module's own name, or else the only one that Errand calls
// so, with or without the plugin's id. file is the module's name, for messages.
func (r *ModuleRequest) find(file, name string, tools []wasm.DescribedTool) (*wasm.DescribedTool, error) {
	var found []*wasm.DescribedTool
	for i := range tools {
		switch t := &tools[i]; name {
		case t.Function:
			return t, nil
		case t.Name, strings.TrimPrefix(t.Name, r.ID+"."):
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return nil, unknownTool(file, name, tools)
	case 1:
		return found[0], nil
	}
	return nil, tool.NewError(tool.ValidationError, "ambiguous_tool", message.New("plugins.ambiguous_tool_to_mark", "tool", name, "first", found[0].Function, "second", found[1].Function)).
		WithHint(message.New("plugins.ambiguous_tool_to_mark_hint"))
}

// renew returns the earlier marks of tools whose definition is the same. It returns
// nil if there were none.
func (m *marks) renew(marked map[string]string, tools []wasm.DescribedTool) []string {
	if marked == nil {
		return nil
	}
	toolNames := []string{}
	for _, own := range slices.Sorted(maps.Keys(marked)) {
		i := slices.IndexFunc(tools, func(t wasm.DescribedTool) bool { return t.Function == own })
		switch {
		case i >= 0 && tools[i].Definition == marked[own]:
			toolNames = append(toolNames, own)
		case i >= 0 && tools[i].SideEffectClass != tool.Read:
			m.withdrawn = append(m.withdrawn, tools[i].Name)
		}
	}
	return toolNames
}

func moduleTools(tools []wasm.DescribedTool) []ModuleTool {
	list := make([]ModuleTool, len(tools))
	for i, t := range tools {
		list[i] = ModuleTool{t.Name, t.Description, t.SideEffectClass == tool.Read, t.Declared}
	}
	return list
}

func unknownTool(file, name string, tools []wasm.DescribedTool) error {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return tool.NewError(tool.ValidationError, "unknown_tool", message.New("plugins.no_tool_to_mark", "file", file, "tool", name)).
		WithHint(message.New("plugins.no_tool_to_mark_hint", "tools", names))
}

// withMarks adds to a plugin's permissions which of its tools the user marked.
func withMarks(lines []message.Message, names []string) []message.Message {
	if len(names) == 0 {
		return lines
	}
	return append(lines, message.New("plugins.marked_reading", "tools", names))
}
