package manifest_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"errand/build/must"
	"errand/host/wasm/manifest"
)

// TestSchema: what is a manifest is one by the schema, and common slips are
// none.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(manifest.Schema()))
	must.Succeed(t, err)
	c := jsonschema.NewCompiler()
	must.Succeed(t, c.AddResource("plugin.json", doc))
	schema, err := c.Compile("plugin.json")
	must.Succeed(t, err)
	valid := func(text string) error {
		var tree any
		if err := toml.Unmarshal([]byte(text), &tree); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		b := must.JSON(t, tree)
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		must.Succeed(t, err)
		return schema.Validate(v)
	}
	files, err := filepath.Glob("../../../plugins/*/plugin.toml")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d bundled manifests, %v", len(files), err)
	}
	for _, name := range files {
		b := must.ReadFile(t, name)
		if err := valid(string(b)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	const good = `schema = 1
id = "a"
version = "1"
module = "a.wasm"
abi = "extism"
hosts = ["example.com"]
[[paths]]
root = "files.roots"
[limits]
memory = "16MiB"
[config.token]
type = "secret"
hosts = ["example.com"]
[[tool]]
name = "a"
function = "f"
description = "d"
side_effect_class = "read"
effect = "read"
[[tool.case]]
args = { a = [1, { b = true }] }
payload = "x"
[[tool.case.http]]
url = "https://example.com/"
headers = { "content-type" = "text/plain" }
`
	if _, err := manifest.Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	if err := valid(good); err != nil {
		t.Errorf("a good manifest: %v", err)
	}
	for _, edit := range [][2]string{
		{`schema = 1`, `schema = 2`},
		{`id = "a"`, `id = "A"`},
		{`version = "1"`, ``},
		{`abi = "extism"`, `abi = "wasi2"`},
		{`hosts = ["example.com"]`, `hosts = "example.com"`},
		{`root = "files.roots"`, `mode = "rw"`},
		{`memory = "16MiB"`, `memory = "16MB"`},
		{`memory = "16MiB"`, `memry = "16MiB"`},
		{`type = "secret"`, `type = "password"`},
		{`effect = "read"`, `effect = "reads"`},
		{`headers = {`, `header = {`},
	} {
		bad := strings.Replace(good, edit[0], edit[1], 1)
		if bad == good || valid(bad) == nil {
			t.Errorf("%q in place of %q is taken", edit[1], edit[0])
		}
	}
	everyKeyIsDescribed(t, "", doc)
}

// everyKeyIsDescribed goes through a schema: who adds a key says what it is.
func everyKeyIsDescribed(t *testing.T, at string, node any) {
	t.Helper()
	schema, ok := node.(map[string]any)
	if !ok {
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		if text, _ := p.(map[string]any)["description"].(string); text == "" {
			t.Errorf("schema.toml does not say what %s is", strings.TrimPrefix(at+"."+name, "."))
		}
		everyKeyIsDescribed(t, at+"."+name, p)
	}
	for _, inner := range []string{"items", "additionalProperties"} {
		everyKeyIsDescribed(t, at, schema[inner])
	}
}
