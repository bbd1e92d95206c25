package wasm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// TestWritesOnlyConvertedPaths: a call changes what paths of this machine name. A text that
// already has the form of the plugin's paths gives it nothing.
func TestWritesOnlyConvertedPaths(t *testing.T) {
	const path = `{"type":"string","format":"path"}`
	object := func(rest string) string { return `{"type":"object","properties":{"p":` + path + `}` + rest + `}` }
	here := func(root string) any { return filepath.Join(root, "named") }
	for _, tt := range []struct {
		name, where string // the schema of the argument in writes
		value       func(root string) any
		file        string // what the plugin writes, in its own words
		wrote       bool
	}{
		{
			"beside a path", `{"type":"object","properties":{"p":` + path + `,"q":{"type":"string","enum":["/root/0"]}}}`,
			func(root string) any { return map[string]any{"p": here(root), "q": "/root/0"} }, "victim/v.txt", false,
		},
		{"a further property", object(``), func(root string) any { return map[string]any{"p": here(root), "q": "/root/0"} }, "victim/v.txt", false},
		{
			"additionalProperties", object(`,"additionalProperties":` + path),
			func(root string) any { return map[string]any{"p": here(root), "q": "/root/0"} }, "victim/v.txt", false,
		},
		{
			"patternProperties", object(`,"patternProperties":{"^q":` + path + `}`),
			func(root string) any { return map[string]any{"p": here(root), "q": "/root/0/victim"} }, "victim/v.txt", false,
		},
		{
			"anyOf", `{"type":"object","properties":{"p":` + path + `,"q":{"anyOf":[` + path + `,{"type":"null"}]}}}`,
			func(root string) any { return map[string]any{"p": here(root), "q": "/root/0"} }, "victim/v.txt", false,
		},
		{
			"oneOf of the whole", object(`,"oneOf":[{"properties":{"q":` + path + `}}]`),
			func(root string) any { return map[string]any{"p": here(root), "q": "/root/0"} }, "victim/v.txt", false,
		},
		{
			"$ref", `{"type":"object","properties":{"p":` + path + `,"q":{"$ref":"#/properties/path"}}}`,
			func(root string) any { return map[string]any{"p": here(root), "q": "/root/0"} }, "victim/v.txt", false,
		},
		{
			"a list beside a path", `{"type":"object","properties":{"p":` + path + `,"q":{"type":"array","items":{"type":"string"}}}}`,
			func(root string) any { return map[string]any{"p": here(root), "q": []any{"x", "/root/0/"}} }, "victim/v.txt", false,
		},
		{
			"prefixItems", `{"type":"array","prefixItems":[{"type":"string"}],"items":` + path + `}`,
			func(root string) any { return []any{here(root)} }, "victim/v.txt", false,
		},
		{"the path itself", object(``), func(root string) any { return map[string]any{"p": here(root)} }, "named/v.txt", true},
		{
			"a path in a list in an object", `{"type":"object","properties":{"list":{"type":"array","items":` + object(``) + `}}}`,
			func(root string) any { return map[string]any{"list": []any{map[string]any{"p": here(root)}}} }, "named/v.txt", true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for _, name := range []string{"named", "victim"} {
				must.Succeed(t, os.Mkdir(filepath.Join(root, name), 0o755))
			}
			schema := `{"type":"object","properties":{"path":{"type":"string"},"where":` + tt.where + `}}`
			manifest := strings.Replace(rogueManifest, `mode = "ro"`, `mode = "rw"`, 1) +
				"[[tool]]\nname = \"rogue.write\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nargs_schema = '" + schema + "'\nwrites = [\"where\"]\n"
			h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
			p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "rogue.wasm": {Data: rogue(t)}})
			must.Succeed(t, err)
			args := map[string]any{"path": "/root/0/" + tt.file, "where": tt.value(root)}
			if _, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "rogue.write", ActionID: "a1", Args: args}); err != nil {
				t.Fatal(err)
			}
			_, err = os.Stat(filepath.Join(root, tt.file))
			if wrote := err == nil; wrote != tt.wrote {
				t.Errorf("it wrote %s: %v, want %v", tt.file, wrote, tt.wrote)
			}
		})
	}
}
