package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/tool/jsonstrict"
	"errand/host/wasm/manifest"
)

// Diff is one thing that came out otherwise. Want and Got are JSON, or words;
// an empty one is nothing.
type Diff struct {
	Field string `json:"field"` // "payload.items[2].name", "error", "http"
	Want  string `json:"want"`
	Got   string `json:"got"`
}

// maxDiffs bounds what one case tells.
const maxDiffs = 20

// compare holds an answer against what the case expects of it.
func (s *stage) compare(c manifest.Case, r tool.Result) []Diff {
	diffs := []Diff{}
	switch {
	case c.Error != "" && r.Error == nil:
		return []Diff{{"error", c.Error, ""}, {"payload", "", text(r.Payload)}}
	case c.Error != "" && r.Error.Code != c.Error:
		return []Diff{{"error", c.Error, r.Error.Code + ": " + r.Error.Message}}
	case c.Error != "":
		return []Diff{}
	case r.Error != nil:
		return []Diff{{"payload", text(s.placed(plain(c.Payload))), ""}, {"error", "", r.Error.Code + ": " + r.Error.Message}}
	}
	walk(&diffs, "payload", s.placed(plain(c.Payload)), plain(r.Payload))
	if more := len(diffs) - maxDiffs; more > 0 {
		diffs = append(diffs[:maxDiffs], Diff{"payload", "", fmt.Sprintf("and %d more", more)})
	}
	return slices.Clip(diffs)
}

// walk finds where two JSON values differ, in the order of keys and indices.
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
				*diffs = append(*diffs, Diff{place, text(a), ""})
			case !inWant:
				*diffs = append(*diffs, Diff{place, "", text(b)})
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
				*diffs = append(*diffs, Diff{place, text(w[i]), ""})
			case i >= len(w):
				*diffs = append(*diffs, Diff{place, "", text(g[i])})
			default:
				walk(diffs, place, w[i], g[i])
			}
		}
		return
	}
	if a, b := text(want), text(got); a != b {
		*diffs = append(*diffs, Diff{at, a, b})
	}
}

// plain is v as JSON has it, so that numbers of TOML and of JSON compare: 1 and
// 1.0 are one number, a date is a text, and so is a whole number too long to be
// kept exactly, as it is of an answer.
func plain(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	out, _ := jsonstrict.Decode(b)
	return out
}

// text is a value as one line of JSON, without escapes for HTML.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}
