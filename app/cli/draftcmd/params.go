package draftcmd

import (
	"context"
	"encoding/json"

	"errand/app"
	"errand/app/cli/input"
)

// paramsOf returns the arguments that an action's tool takes. For an unknown action
// it returns none; the edit reports the error.
func paramsOf(ctx context.Context, app *app.App, draft, action string) (map[string]input.Param, error) {
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
			_ = json.Unmarshal(spec.ArgsSchema, &schema) // without an object there are no properties
			params := make(map[string]input.Param, len(schema.Properties))
			for name, raw := range schema.Properties {
				var p input.Param
				_ = json.Unmarshal(raw, &p) // a property may be a plain true
				params[name] = p
			}
			return params, nil
		}
	}
	return nil, nil
}
