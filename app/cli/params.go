package cli

import (
	"context"
	"encoding/json"

	"errand/app/cli/input"
	"errand/app/core"
)

// paramsOf are the arguments that an action's tool takes. Of what isn't there
// nothing is known: the edit itself says what is missing.
func paramsOf(ctx context.Context, app *core.App, draft, action string) (map[string]input.Param, error) {
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
			params := make(map[string]input.Param, len(schema.Properties))
			for name, raw := range schema.Properties {
				var p input.Param
				_ = json.Unmarshal(raw, &p) // nor does a property that is none, such as true
				params[name] = p
			}
			return params, nil
		}
	}
	return nil, nil
}
