package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strconv"
	"unicode"

	"errand/host/tool"
	"errand/planner/message"
)

// maxListed limits the names in the note of a forecast.
const maxListed = 10

// previewer forecasts the calls of a tool by another tool of the plugin, which only reads.
// It gets the arguments that it knows and lists what the call would use, for example the
// files in an archive.
type previewer struct {
	of   tool.Spec
	look *pluginTool
}

// previewedTool and previewedReconcilable are the two kinds of tools with a preview.
type (
	previewedTool struct {
		*pluginTool
		previewer
	}
	previewedReconcilable struct {
		*reconcilableTool
		previewer
	}
)

var (
	_ tool.Forecaster = previewedTool{}
	_ tool.Forecaster = previewedReconcilable{}
	_ tool.Reconciler = previewedReconcilable{}
)

// Forecast implements [tool.Forecaster]. If the list can't be made, the note says why: an
// earlier action may still make what is missing.
func (p previewer) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	f := tool.Forecast{Reversible: p.of.Reversible}
	var known struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(p.look.spec.ArgsSchema, &known); err != nil {
		return f, err
	}
	look := call
	look.Tool, look.Key, look.Args = p.look.spec.Name, "", maps.Clone(call.Args)
	maps.DeleteFunc(look.Args, func(name string, _ any) bool { _, ok := known.Properties[name]; return !ok })
	r, err := p.look.Call(ctx, look)
	if err == nil && r.Error != nil {
		err = r.Error
	}
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	if err != nil {
		f.Note = message.New("plugin.contents_unknown", "cause", tool.AsError(err).Message)
		return f, nil
	}
	b, err := json.Marshal(r.Payload)
	if err != nil {
		return f, err
	}
	sum := sha256.Sum256(b)
	f.Identity = hex.EncodeToString(sum[:])
	var list struct {
		Count   int `json:"count"`
		Entries []struct {
			Name string `json:"name"`
		} `json:"entries"`
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return f, err
	}
	names := []string{}
	for _, e := range list.Entries[:min(maxListed, len(list.Entries))] {
		names = append(names, printable(e.Name))
	}
	f.Note = message.New("plugin.contents", "count", max(list.Count, len(list.Entries)), "names", names, "more", max(list.Count, len(list.Entries))-len(names))
	return f, nil
}

// printable quotes a name that would break a line or change the writing direction.
func printable(name string) string {
	for _, r := range name {
		if !unicode.IsGraphic(r) || r == unicode.ReplacementChar {
			return strconv.Quote(name)
		}
	}
	return name
}
