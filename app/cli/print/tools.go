package print

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
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

// SelectTools returns the tools with these names. off are tools that are turned off.
func SelectTools(specs []tool.Spec, off []tool.Off, names []string) ([]tool.Spec, error) {
	var selected []tool.Spec
	for _, name := range names {
		i := slices.IndexFunc(specs, func(spec tool.Spec) bool { return spec.Name == name })
		if i < 0 {
			return nil, tool.UnknownTool(tool.ValidationError, name, specs, off)
		}
		selected = append(selected, specs[i])
	}
	return selected, nil
}
