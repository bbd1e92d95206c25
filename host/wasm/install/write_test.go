package install

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/host/tool"
	"errand/host/wasm/manifest"
)

// FuzzWrite checks that the manifest of a module describes the tools as the module does, or is
// refused when it is read.
func FuzzWrite(f *testing.F) {
	f.Add("now", "Tells the time", `{"type":"object"}`, "key")
	f.Add("a b", "with \"\"\" and '''\nand \\ and \x01 and ü", "{\"type\":\"object\",\n\"description\":\"'''\\u0000\"}", "k")
	f.Add("x", "]\nhosts = [\"*\"]\n[[tool]]\n", `{"type":"object","default":"\"\"\""}`, "a.b")
	f.Add("\xff", "\xff", "\xff", "\xff")
	f.Fuzz(func(t *testing.T, function, description, schema, key string) {
		m := manifest.Manifest{
			ID: "clock", Version: "0.0.0+abc", Description: "A plugin", Module: "clock.wasm", ABI: manifest.HyperMCP, Hosts: []string{"a.example"},
			Config: map[string]manifest.Config{key: {Type: "string"}, "token": {Type: "secret", Hosts: []string{"a.example"}}},
			Tools: []manifest.Tool{{
				Name: "clock.now", Function: function, Description: description, ArgsSchema: schema, SideEffectClass: tool.Write, Effect: tool.EffectCommit,
			}},
		}
		text, err := Write(m)
		if err != nil {
			return
		}
		back, err := manifest.Parse(text)
		if err != nil {
			if schema == `{"type":"object"}` && description == "Tells the time" && key == "key" && function == "now" {
				t.Errorf("a plain manifest is refused: %v\n%s", err, text)
			}
			return
		}
		if diff := cmp.Diff(m.Config, back.Config); diff != "" {
			t.Errorf("config (-said +read):\n%s", diff)
		}
		if len(back.Tools) != 1 || back.Tools[0].Function != function || back.Tools[0].Description != description || back.Tools[0].ArgsSchema != schema && strings.TrimSpace(schema) != "" {
			t.Errorf("%q %q %q was read as %+v", function, description, schema, back.Tools)
		}
		if len(back.Hosts) != 1 || back.Tools[0].SideEffectClass != tool.Write {
			t.Errorf("it asks for %v and %v", back.Hosts, back.Tools[0].SideEffectClass)
		}
	})
}
