package wasm

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/manifest"
)

// TestPathArguments compares the paths that policy and approvals find in the arguments of a
// call with those that the plugin gets: a path that only the plugin gets would pass the
// user's rules.
func TestPathArguments(t *testing.T) {
	const path, text = `{"type":"string","format":"path"}`, `{"type":"string"}`
	schemas := map[string]string{
		"no path is marked":       `{"properties":{"a":` + text + `,"b":{"type":"array","items":{}}}}`,
		"one is marked":           `{"properties":{"a":` + path + `,"b":` + text + `}}`,
		"list":                    `{"properties":{"a":{"type":"array","items":` + path + `}}}`,
		"list of lists":           `{"properties":{"a":{"type":"array","items":{"type":"array","items":` + path + `}}}}`,
		"list of objects":         `{"properties":{"a":{"type":"array","items":{"type":"object","properties":{"from":` + path + `,"to":` + text + `}}}}}`,
		"object in an object":     `{"properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":` + path + `}}}}}}`,
		"property named format":   `{"properties":{"format":` + path + `,"properties":{"type":"object","properties":{"items":` + path + `}}}}`,
		"in anyOf":                `{"properties":{"a":{"anyOf":[` + path + `,{"type":"array","items":` + path + `}]},"b":` + path + `}}`,
		"in additionalProperties": `{"properties":{"a":{"type":"object","additionalProperties":` + path + `}},"additionalProperties":` + path + `}`,
		"in prefixItems":          `{"properties":{"a":{"type":"array","prefixItems":[` + path + `],"items":` + text + `}}}`,
		"behind $ref":             `{"properties":{"a":{"$ref":"#/$defs/p"}},"$defs":{"p":` + path + `}}`,
		"empty":                   `{}`,
		"true":                    `true`,
	}
	files, err := filepath.Glob("../../plugins/*/plugin.toml")
	if err != nil || len(files) < 6 {
		t.Fatalf("bundled manifests: %q, %v", files, err)
	}
	marked := 0
	for _, file := range files {
		source := must.ReadFile(t, file)
		m, err := manifest.ParseBundled(source)
		must.Succeed(t, err)
		for _, tl := range m.Tools {
			if schemas[tl.Name] = tl.ArgsSchema; tl.ArgsSchema == "" {
				schemas[tl.Name] = "{}"
			}
			if len(m.Paths) > 0 {
				marked++
			}
		}
	}
	if marked < 5 {
		t.Fatalf("%d bundled tools have folders", marked)
	}
	dir := t.TempDir()
	r := newRoots([]manifest.Path{{Root: "files.roots", Mode: "rw"}}, map[string][]string{"files.roots": {dir}})
	for name, schema := range schemas {
		t.Run(name, func(t *testing.T) {
			var node any
			must.Succeed(t, json.Unmarshal([]byte(schema), &node))
			s := sampler{dir: dir}
			args := map[string]any{"unknown": s.value(nil, 2), "relative": "a.txt"}
			properties, _ := node.(map[string]any)
			known, _ := properties["properties"].(map[string]any)
			for name, property := range known {
				args[name] = s.value(property, 3)
			}
			guest, paths, err := r.toGuest(args, json.RawMessage(schema))
			must.Succeed(t, err)
			for i := range paths {
				paths[i].Path = r.hostPath(paths[i].Path)
			}
			spec := tool.Spec{ArgsSchema: json.RawMessage(schema), Paths: r.specs()}
			if diff := cmp.Diff(spec.PathArgs(args), paths); diff != "" {
				t.Errorf("policy and plugin see different paths (-policy +plugin):\n%s", diff)
			}
			if count := countConverted(args, guest); count != len(paths) {
				t.Errorf("%d texts are converted, %d paths are known", count, len(paths))
			}
			if s.count == 0 {
				t.Error("the arguments have no path")
			}
		})
	}
}

// sampler makes values in which every text is another path.
type sampler struct {
	dir   string
	count int
}

func (s *sampler) value(schema any, depth int) any {
	node, _ := schema.(map[string]any)
	properties, _ := node["properties"].(map[string]any)
	switch {
	case depth == 0 || schema != nil && properties == nil && node["items"] == nil:
		s.count++
		return filepath.Join(s.dir, fmt.Sprintf("f%d", s.count))
	case node["items"] != nil:
		return []any{s.value(node["items"], depth-1), s.value(node["items"], depth-1), s.value(nil, 1)}
	}
	value := map[string]any{"unknown": s.value(nil, 0), "unknown list": []any{s.value(nil, 0)}}
	for name, property := range properties {
		value[name] = s.value(property, depth-1)
	}
	return value
}

// countConverted counts the texts that differ between two values of the same form.
func countConverted(a, b any) (count int) {
	switch a := a.(type) {
	case string:
		if a != b {
			count++
		}
	case []any:
		for i := range a {
			count += countConverted(a[i], b.([]any)[i])
		}
	case map[string]any:
		for name := range a {
			count += countConverted(a[name], b.(map[string]any)[name])
		}
	}
	return count
}
