package filestate

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
)

// pathArg is a path in the arguments of a call.
type pathArg struct {
	argument string // top-level
	path     string // absolute and clean
}

// pathsIn returns the absolute paths in arguments, in the order of the arguments' names. A
// text is a path if the schema marks it with "format": "path". If the schema marks none,
// every absolute path is one.
func pathsIn(args map[string]any, schema json.RawMessage) []pathArg {
	var node any
	_ = json.Unmarshal(schema, &node) // the dispatcher has checked it
	f := finder{allPaths: !marksPaths(node)}
	properties := property(node, "properties")
	for _, name := range slices.Sorted(maps.Keys(args)) {
		f.argument = name
		f.add(args[name], property(properties, name))
	}
	return f.paths
}

type finder struct {
	argument string
	allPaths bool
	paths    []pathArg
}

func (f *finder) add(v, schema any) {
	switch v := v.(type) {
	case string:
		if (f.allPaths || property(schema, "format") == "path") && filepath.IsAbs(v) {
			n := pathArg{f.argument, filepath.Clean(v)}
			if !slices.Contains(f.paths, n) {
				f.paths = append(f.paths, n)
			}
		}
	case []any:
		for _, item := range v {
			f.add(item, property(schema, "items"))
		}
	case map[string]any:
		properties := property(schema, "properties")
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f.add(v[name], property(properties, name))
		}
	}
}

// property returns a member of a decoded object, or nil.
func property(node any, name string) any {
	m, _ := node.(map[string]any)
	return m[name]
}

// marksPaths reports whether a decoded schema marks any text as a path.
func marksPaths(node any) bool {
	switch n := node.(type) {
	case map[string]any:
		if n["format"] == "path" {
			return true
		}
		for _, v := range n {
			if marksPaths(v) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(n, marksPaths)
	}
	return false
}
