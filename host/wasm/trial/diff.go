package trial

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/tool/jsonstrict"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Diff is one difference from the expected result. Want and Got are JSON or text;
// an empty one means nothing.
type Diff struct {
	Field string          `json:"field"` // "payload.items[2].name", "error", "http"
	Want  string          `json:"want"`
	Got   message.Message `json:"got"`
}

// gotValue is a difference whose result is a value in JSON, or nothing.
func gotValue(field, want, got string) Diff { return Diff{field, want, message.Verbatim(got)} }

// gotError is a difference whose result is an error, in the plugin's words.
func gotError(want string, e *tool.Error) Diff {
	said := e.Message
	if own, ok := said.Params["text"].(string); ok && said.Code == "plugin.says" {
		said = message.Verbatim(own)
	}
	return Diff{"error", want, message.New("kit.got_error", "code", ownCode(e), "message", said)}
}

// ownCode is the code of an error as the plugin gave it.
func ownCode(e *tool.Error) string { return strings.TrimPrefix(e.Code, tool.PluginCode) }

// maxDiffs limits the differences of one case.
const maxDiffs = 20

// compare compares an answer with what the case expects.
func (s *stage) compare(c manifest.Case, r tool.Result) []Diff {
	diffs := []Diff{}
	switch {
	case c.Error != "" && r.Error == nil:
		return []Diff{gotValue("error", c.Error, ""), gotValue("payload", "", text(r.Payload))}
	case c.Error != "" && ownCode(r.Error) != c.Error:
		return []Diff{gotError(c.Error, r.Error)}
	case c.Error != "":
		return []Diff{}
	case r.Error != nil:
		return []Diff{gotValue("payload", text(s.insertRoot(plainValue(c.Payload))), ""), gotError("", r.Error)}
	}
	walk(&diffs, "payload", s.insertRoot(plainValue(c.Payload)), plainValue(r.Payload))
	if more := len(diffs) - maxDiffs; more > 0 {
		diffs = append(diffs[:maxDiffs], Diff{"payload", "", message.New("kit.more_diffs", "count", more)})
	}
	return slices.Clip(diffs)
}

// walk adds the differences between two JSON values, in the order of keys and
// indexes.
func walk(diffs *[]Diff, at string, want, got any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		keys := map[string]bool{}
		for k := range w {
			keys[k] = true
		}
		for k := range g {
			keys[k] = true
		}
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			a, inWant := w[k]
			b, inGot := g[k]
			place := at + "." + k
			if strings.ContainsAny(k, ".[] ") || k == "" {
				place = fmt.Sprintf("%s[%q]", at, k)
			}
			switch {
			case !inGot:
				*diffs = append(*diffs, gotValue(place, text(a), ""))
			case !inWant:
				*diffs = append(*diffs, gotValue(place, "", text(b)))
			default:
				walk(diffs, place, a, b)
			}
		}
		return
	case []any:
		g, ok := got.([]any)
		if !ok {
			break
		}
		for i := range max(len(w), len(g)) {
			place := fmt.Sprintf("%s[%d]", at, i)
			switch {
			case i >= len(g):
				*diffs = append(*diffs, gotValue(place, text(w[i]), ""))
			case i >= len(w):
				*diffs = append(*diffs, gotValue(place, "", text(g[i])))
			default:
				walk(diffs, place, w[i], g[i])
			}
		}
		return
	}
	if a, b := text(want), text(got); a != b {
		*diffs = append(*diffs, gotValue(at, a, b))
	}
}

// plainValue converts v to JSON values, so that numbers from TOML and JSON can be
// compared. 1 and 1.0 are equal. A date and an integer too long for a float64 are
// strings, as in an answer.
func plainValue(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	out, _ := jsonstrict.Decode(b)
	return out
}

// text returns a value as one line of JSON without HTML escapes.
func text(v any) string {
	b, err := message.EncodeJSON(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
