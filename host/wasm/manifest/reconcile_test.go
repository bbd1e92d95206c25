package manifest_test

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/manifest"
)

// command and functions have a tool that changes something and one that reads.
const command = `schema = 1
id = "box"
version = "1"
module = "box.wasm"
abi = "wasi"
[[tool]]
name = "box.put"
description = "d"
side_effect_class = "write"
effect = "file"
reversible = true
reconcile = "box.look"
[[tool]]
name = "box.list"
description = "d"
side_effect_class = "read"
effect = "read"
[[tool]]
name = "box.take"
description = "d"
side_effect_class = "write"
effect = "file"
`

var functions = strings.NewReplacer(
	`"wasi"`, `"extism"`, "reversible = true\n", "",
	"name = \"box.put\"\n", "name = \"box.put\"\nfunction = \"put\"\n",
	"name = \"box.list\"\n", "name = \"box.list\"\nfunction = \"list\"\n",
	"name = \"box.take\"\n", "name = \"box.take\"\nfunction = \"take\"\n",
).Replace(command)

// TestBack: what a tool says of taking back and of finding out.
func TestBack(t *testing.T) {
	reconcile := func(s string) []string { return []string{`"box.look"`, `"` + s + `"`} }
	tests := []struct {
		name, text string
		edit       []string
		entry      string // of the first tool
		want       string // in the error
	}{
		{"an entry without a tool", command, nil, "box.look", ""},
		{"a tool that reads", command, reconcile("box.list"), "box.list", ""},
		{"a tool that writes", command, reconcile("box.take"), "", "tool box.put: reconcile names tool box.take, whose side_effect_class is write: it must be read"},
		{"itself", command, reconcile("box.put"), "", "reconcile must be another entry"},
		{"another plugin's", command, reconcile("files.look"), "", `call it "box.look"`},
		{"no name at all", command, reconcile("box.look up"), "", `reconcile "box.look up"`},
		{"a read that is reversible", command, []string{"name = \"box.list\"", "name = \"box.list\"\nreversible = true"}, "", "tool box.list: reversible is for tools that change something"},
		{"a read with reconcile", command, []string{"name = \"box.list\"", "name = \"box.list\"\nreconcile = \"box.x\""}, "", "tool box.list: reconcile is for tools that change something"},
		{"a list", command, []string{`reconcile = "box.look"`, `reconcile = ["box.look"]`}, "", "reconcile must be a text in quotes"},
		{"a slip", command, []string{`reconcile =`, `reconsile =`}, "", `did you mean "reconcile"?`},

		{"function", functions, reconcile("look"), "look", ""},
		{"function of a tool that reads", functions, reconcile("list"), "list", ""},
		{"the name of a tool that reads", functions, reconcile("box.list"), "list", ""},
		{"function of a tool that writes", functions, reconcile("take"), "", "reconcile names the function of tool box.take"},
		{"its own function", functions, reconcile("put"), "", "reconcile must be another entry"},
		{"reversible", functions, []string{`reconcile = "box.look"`, "reversible = true"}, "", "reversible needs abi wasi"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := manifest.Parse([]byte(strings.NewReplacer(tt.edit...).Replace(tt.text)))
			if tt.want != "" {
				if err == nil || !strings.Contains(i18n.English().Error(err), tt.want) {
					t.Errorf("error %v, want in it %q", err, tt.want)
				}
				return
			}
			must.Succeed(t, err)
			if got := m.Entry(m.Tools[0]); got != tt.entry {
				t.Errorf("entry %q, want %q", got, tt.entry)
			}
			if m.Spec(m.Tools[0]).Reversible != (m.ABI == manifest.WASI) || m.Spec(m.Tools[2]).Reversible {
				t.Error("the specs don't say what is reversible")
			}
		})
	}
}
