package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"errand/host/tool"
)

// Parameters returns a tool's schema of arguments and its description, as providers take
// them. Keywords that they refuse are left out. Alternatives at the top level, which they
// refuse too, become a part of the description.
func Parameters(s tool.Spec) (description string, parameters json.RawMessage) {
	description = s.Description
	var root map[string]any
	if err := json.Unmarshal(s.ArgsSchema, &root); err != nil || root == nil { // a spec is validated before; this is a schema for all
		return description, json.RawMessage(`{"type":"object","properties":{}}`)
	}
	root, _ = cleanSchema(root).(map[string]any)
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		if rule, ok := root[key]; ok {
			delete(root, key)
			description = strings.TrimSpace(description + "\n" + key + ": " + string(Marshal(rule)))
		}
	}
	root["type"] = "object"
	if root["properties"] == nil {
		root["properties"] = map[string]any{}
	}
	return description, Marshal(root)
}

// nameKeys hold schemas by names, which are not keywords.
var nameKeys = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}

// valueKeys hold values, which have no keywords.
var valueKeys = []string{"enum", "const", "default", "examples", "required", "dependentRequired"}

// cleanSchema returns a schema without keywords that only Errand knows.
func cleanSchema(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = cleanSchema(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			named, isMap := value.(map[string]any)
			switch {
			case key == "$schema" || key == "$id" || key == "writeOnly" || strings.HasPrefix(key, "x-"):
			case slices.Contains(valueKeys, key):
				out[key] = value
			case slices.Contains(nameKeys, key) && isMap:
				schemas := map[string]any{}
				for name, schema := range named {
					schemas[name] = cleanSchema(schema)
				}
				out[key] = schemas
			default:
				out[key] = cleanSchema(value)
			}
		}
		return out
	}
	return v
}
