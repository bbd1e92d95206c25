package cli

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"errand/app"
)

// param is what the schema of a tool says of one argument.
type param struct {
	Type   types  `json:"type"`
	Format string `json:"format"`
}

// types are the JSON types that a schema allows; none: it does not say.
type types []string

// UnmarshalJSON takes a name or a list of them.
func (t *types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// paramsOf are the arguments that an action's tool takes. Of what isn't there
// nothing is known: the edit itself says what is missing.
func paramsOf(ctx context.Context, app *app.App, draft, action string) (map[string]param, error) {
	d, err := app.ShowDraft(ctx, draft)
	if err != nil {
		return nil, err
	}
	specs, err := app.Tools(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range d.Actions {
		for _, spec := range specs {
			if a.ActionID != action || spec.Name != a.Tool {
				continue
			}
			var schema struct {
				Properties map[string]json.RawMessage `json:"properties"`
			}
			_ = json.Unmarshal(spec.ArgsSchema, &schema) // a schema that is no object says nothing
			params := make(map[string]param, len(schema.Properties))
			for name, raw := range schema.Properties {
				var p param
				_ = json.Unmarshal(raw, &p) // nor does a property that is none, such as true
				params[name] = p
			}
			return params, nil
		}
	}
	return nil, nil
}

// valueOf reads a value that was typed for an argument: as JSON, if it is JSON
// of a type that the argument may have, and else as text. "~" leads home in a
// path. Nothing at all removes the argument.
func valueOf(text string, p param, resolve func(string) string) any {
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
