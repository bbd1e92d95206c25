package tool

import (
	"encoding/json"
	"slices"
	"sort"
)

// tables are the argument schemas of built-in tools and of those of the bundled plugins,
// sorted, with the names of their arguments.
type tables struct {
	schemas []string
	params  [][]string
}

// built is what make tables generates: parsing these schemas would take a large part of
// the time of a command. It is nil in a source tree without the generated file.
var built *tables

// Tables returns the value of the generated file for the tools with these specs.
func Tables(specs ...Spec) (any, error) {
	var t tables
	for _, s := range specs {
		if err := s.Validate(); err != nil {
			return nil, err
		}
		t.schemas = append(t.schemas, string(s.ArgsSchema))
	}
	slices.Sort(t.schemas)
	t.schemas = slices.Compact(t.schemas)
	for _, schema := range t.schemas {
		t.params = append(t.params, readParams(json.RawMessage(schema)))
	}
	return t, nil
}

// Params returns the sorted names of the arguments in the schema. Don't change the result.
func (s Spec) Params() []string {
	if params, ok := knownParams(s.ArgsSchema); ok {
		return params
	}
	return readParams(s.ArgsSchema)
}

// knownParams looks a schema up in the generated file. All schemas there are valid.
func knownParams(schema json.RawMessage) (params []string, ok bool) {
	if built == nil {
		return nil, false
	}
	i := sort.Search(len(built.schemas), func(i int) bool { return built.schemas[i] >= string(schema) })
	if i == len(built.schemas) || built.schemas[i] != string(schema) {
		return nil, false
	}
	return built.params[i], true
}

func readParams(args json.RawMessage) []string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(args, &schema) != nil {
		return nil
	}
	params := make([]string, 0, len(schema.Properties))
	for p := range schema.Properties {
		params = append(params, p)
	}
	slices.Sort(params)
	return params
}
