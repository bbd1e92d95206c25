package tool

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
)

// PathArg is a path in the arguments of a call.
type PathArg struct {
	Argument string // top-level
	Path     string // absolute and clean
}

// PathArgs returns the absolute paths in arguments, in the order of the arguments' names. A
// text is a path if the schema marks it with "format": "path". If the schema marks none,
// every absolute path is one. A tool without Paths has none.
func (s Spec) PathArgs(args map[string]any) []PathArg {
	if len(s.Paths) == 0 {
		return nil // its texts are no paths
	}
	var node any
	_ = json.Unmarshal(s.ArgsSchema, &node) // the dispatcher has checked it
	f := pathFinder{every: !MarksPaths(node)}
	properties := property(node, "properties")
	for _, name := range slices.Sorted(maps.Keys(args)) {
		f.argument = name
		f.add(args[name], property(properties, name))
	}
	return f.found
}

type pathFinder struct {
	argument string
	every    bool
	found    []PathArg
}

func (f *pathFinder) add(v, schema any) {
	switch v := v.(type) {
	case string:
		if (f.every || property(schema, "format") == "path") && filepath.IsAbs(v) {
			n := PathArg{f.argument, filepath.Clean(v)}
			if !slices.Contains(f.found, n) {
				f.found = append(f.found, n)
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

// MarksPaths reports whether a decoded schema marks any text as a path.
func MarksPaths(node any) bool {
	switch n := node.(type) {
	case map[string]any:
		if n["format"] == "path" {
			return true
		}
		for _, v := range n {
			if MarksPaths(v) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(n, MarksPaths)
	}
	return false
}
