package print

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// Arguments returns a row for each argument of a tool, from its schema: the name, with
// a question mark if it is optional, the type and the description, which is in English.
func Arguments(spec tool.Spec) ([][]string, error) {
	var schema struct {
		Properties map[string]struct {
			Type, Description string
			Enum              []any
			Ref               string `json:"$ref"`
		}
		Required []string
	}
	if err := json.Unmarshal(spec.ArgsSchema, &schema); err != nil {
		return nil, err
	}
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		switch {
		case p.Ref != "":
			p.Type = strings.TrimPrefix(p.Ref, "#/$defs/")
		case len(p.Enum) > 0:
			p.Type = fmt.Sprint(p.Enum)
		}
		if !slices.Contains(schema.Required, name) {
			name += "?"
		}
		rows = append(rows, []string{name, p.Type, p.Description})
	}
	return rows, nil
}

// SelectTools returns the tools with these names.
func SelectTools(specs []tool.Spec, names []string) ([]tool.Spec, error) {
	var selected []tool.Spec
	for _, name := range names {
		i := slices.IndexFunc(specs, func(spec tool.Spec) bool { return spec.Name == name })
		if i < 0 {
			return nil, tool.NewError(tool.ValidationError, "unknown_tool", message.New("cli.unknown_tool", "tool", name)).
				WithHint(message.New("cli.unknown_tool_hint"))
		}
		selected = append(selected, specs[i])
	}
	return selected, nil
}
