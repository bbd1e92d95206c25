package undo

import (
	"encoding/json"
	"path/filepath"

	"errand/host/trace"
)

// dependencies has the dependencies of each action of a plan, by id.
type dependencies map[string][]string

// readNeeds reads the dependencies from a recorded result. A result that lost a secret is
// not a valid plan but still has them.
func readNeeds(result json.RawMessage) dependencies {
	var doc struct {
		Plan struct {
			Actions []struct {
				ID        string   `json:"action_id"`
				DependsOn []string `json:"depends_on"`
			} `json:"actions"`
		} `json:"plan"`
	}
	out := dependencies{}
	if json.Unmarshal(result, &doc) != nil { // nothing was planned
		return out
	}
	for _, a := range doc.Plan.Actions {
		out[a.ID] = a.DependsOn
	}
	return out
}

// reach reports whether an action depends on another one, if only by way of
// others. Of a plan that was damaged into a circle it ends, too.
func (n dependencies) reach(from, to string) bool {
	seen := map[string]bool{from: true}
	for open := []string{from}; len(open) > 0; open = open[1:] {
		for _, id := range n[open[0]] {
			if id == to {
				return true
			}
			if !seen[id] {
				seen[id], open = true, append(open, id)
			}
		}
	}
	return false
}

// pathsOf are the absolute paths that a step and its inverse are about.
func pathsOf(step trace.Step) []string {
	out := paths(step.Args)
	if step.Undo != nil {
		out = append(out, paths(step.Undo.Args)...)
	}
	return out
}

func paths(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		if filepath.IsAbs(v) {
			out = append(out, filepath.Clean(v))
		}
	case map[string]any:
		for _, e := range v {
			out = append(out, paths(e)...)
		}
	case []any:
		for _, e := range v {
			out = append(out, paths(e)...)
		}
	}
	return out
}
