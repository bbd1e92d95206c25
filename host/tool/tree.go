package tool

import (
	"maps"
	"slices"
)

// MapLeaves returns a copy of a JSON value in which f replaced everything but objects and
// lists. It visits objects in the order of their keys.
func MapLeaves(v any, f func(leaf any) any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[k] = MapLeaves(v[k], f)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = MapLeaves(e, f)
		}
		return out
	}
	return f(v)
}
