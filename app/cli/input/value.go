package input

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// Param is the schema of one argument of a tool.
type Param struct {
	Type   types  `json:"type"`
	Format string `json:"format"`
}

// types are the JSON types that a schema permits; empty if it does not say.
type types []string

// UnmarshalJSON accepts a name or a list of names.
func (t *types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// ReadValue parses a typed value of an argument: as JSON if it is JSON of a permitted type, and
// otherwise as text. "~" in a path is the home folder. An empty value removes the argument.
func ReadValue(text string, p Param, resolve func(string) string) any {
	if text == "" {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err == nil && v != nil && p.Type.allow(v) {
		return v
	}
	if p.Format == "path" && strings.HasPrefix(text, "~") {
		return resolve(text)
	}
	return text
}

func (t types) allow(v any) bool {
	if len(t) == 0 {
		return true
	}
	switch v := v.(type) {
	case bool:
		return slices.Contains(t, "boolean")
	case float64:
		return slices.Contains(t, "number") || slices.Contains(t, "integer") && v == math.Trunc(v)
	case string:
		return slices.Contains(t, "string")
	case []any:
		return slices.Contains(t, "array")
	case map[string]any:
		return slices.Contains(t, "object")
	}
	return false
}
