package plancheck

import (
	"encoding/json"
	"slices"
	"strings"

	"errand/planner/plan"
)

// Diff is one field that came out otherwise, as JSON.
type Diff struct {
	Field string `json:"field"`
	Want  string `json:"want"`
	Got   string `json:"got"`
}

// compare holds what was got against the fields that are expected, in the
// order of expectFields.
func compare(want, got Expect) []Diff {
	var diffs []Diff
	check := func(field string, expected bool, w, g any) {
		if !expected {
			return
		}
		if a, b := canonical(w), canonical(g); a != b {
			diffs = append(diffs, Diff{field, a, b})
		}
	}
	check("interpretation", want.Interpretation != nil, want.Interpretation, got.Interpretation)
	check("goals", want.Goals != nil, want.Goals, keepWantedFields(got.Goals, want.Goals))
	check("status", want.Status != nil, want.Status, got.Status)
	check("unmet", want.Unmet != nil, want.Unmet, got.Unmet)
	check("actions", want.Actions != nil, want.Actions, got.Actions)
	check("tools", want.Tools != nil, want.Tools, got.Tools)
	check("args", want.Args != nil, want.Args, got.Args)
	check("depends_on", want.DependsOn != nil, sortPairs(want.DependsOn), sortPairs(got.DependsOn))
	check("verdict", want.Verdict != nil, want.Verdict, got.Verdict)
	check("rule", want.Rule != nil, want.Rule, got.Rule)
	return diffs
}

// keepWantedFields keeps of each goal the fields that the expectation names.
func keepWantedFields(goals, want []map[string]any) []map[string]any {
	out := make([]map[string]any, len(goals))
	for i, g := range goals {
		out[i] = g
		if i >= len(want) {
			continue
		}
		out[i] = map[string]any{}
		for name := range want[i] {
			if v, ok := g[name]; ok || want[i][name] == nil {
				out[i][name] = v
			}
		}
	}
	return out
}

// sortPairs sorts pairs, such as dependencies, whose order has no meaning.
func sortPairs(pairs [][]string) [][]string {
	out := slices.Clone(pairs)
	slices.SortFunc(out, slices.Compare[[]string])
	if out == nil {
		return [][]string{}
	}
	return out
}

func canonical(v any) string {
	b, err := plan.Canonical(v)
	if err != nil {
		b, _ = json.Marshal(err.Error())
	}
	return strings.TrimSpace(string(b))
}
