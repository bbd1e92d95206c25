package tool

import (
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// CodeOutsideRoots is the code of an error about a path outside the folders that a tool may use.
const CodeOutsideRoots = "path_outside_roots"

// PathArg is a path in the arguments of a call.
type PathArg struct {
	Argument string // top-level
	Path     string // absolute and clean
}

// Folders returns the folders in Paths, without the marks of access.
func (s Spec) Folders() []string {
	folders := make([]string, len(s.Paths))
	for i, p := range s.Paths {
		folders[i] = strings.TrimPrefix(p, "ro:")
	}
	return folders
}

// PathArgs returns the absolute paths in arguments, in the order of the arguments' names.
// [ConvertPaths] says which texts are paths. A tool without Paths has none.
func (s Spec) PathArgs(args map[string]any) (paths []PathArg) {
	if len(s.Paths) == 0 {
		return nil // its texts are no paths
	}
	var node any
	_ = json.Unmarshal(s.ArgsSchema, &node) // the dispatcher has checked it
	_, _ = ConvertPaths(args, node, func(argument, p string) (string, error) {
		if n := (PathArg{argument, filepath.Clean(p)}); !slices.Contains(paths, n) {
			paths = append(paths, n)
		}
		return p, nil
	})
	return paths
}

// ConvertPaths returns a copy of arguments in which convert has replaced every path, in the
// order of the arguments' names. It ends with convert's first error. schema is the decoded
// schema of the arguments.
//
// An absolute path is a path if the schema marks it with "format": "path". If the schema
// marks none, every text that is an absolute path is one.
func ConvertPaths(args map[string]any, schema any, convert func(argument, path string) (string, error)) (map[string]any, error) {
	c := pathConverter{allPaths: !MarksPaths(schema), convert: convert}
	properties := property(schema, "properties")
	out := make(map[string]any, len(args))
	var err error
	for _, name := range slices.Sorted(maps.Keys(args)) {
		c.argument = name
		if out[name], err = c.value(args[name], property(properties, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

type pathConverter struct {
	argument string // the top-level one
	allPaths bool
	convert  func(argument, path string) (string, error)
}

func (c *pathConverter) value(v, schema any) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		if (c.allPaths || IsPath(schema)) && (filepath.IsAbs(v) || path.IsAbs(v)) {
			return c.convert(c.argument, v)
		}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			if out[i], err = c.value(item, property(schema, "items")); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		properties := property(schema, "properties")
		out := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if out[name], err = c.value(v[name], property(properties, name)); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// property returns a member of a decoded object, or nil.
func property(node any, name string) any {
	m, _ := node.(map[string]any)
	return m[name]
}

// IsPath reports whether a decoded schema itself is that of a path.
func IsPath(schema any) bool { return property(schema, "format") == "path" }

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
