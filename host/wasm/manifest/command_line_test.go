package manifest_test

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

func TestCheckCommandLine(t *testing.T) {
	const head = "schema = 1\nid = \"grep\"\nversion = \"1\"\nmodule = \"grep.wasm\"\nabi = \"wasi\"\n[config.width]\ntype = \"int\"\n"
	tool := func(keys string) string {
		return head + "[[tool]]\nname = \"grep\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n" +
			`args_schema = '{"type": "object", "properties": {"text": {"type": "string"}, "deep": {"type": "boolean"}}}'` + "\n" + keys
	}
	tests := []struct {
		name, manifest string
		want           string // in the error; "": valid
	}{
		{"all keys", tool(`argv = ["{{?deep}}-r", "-w{{config.width}}", "--", "{{text}}"]` + "\nstdin = \"{{text}}\"\nstdout = \"json\"\nexit_codes = [1]"), ""},
		{"no arguments", tool("argv = []"), ""},
		{"two conditions", tool(`argv = ["{{?deep}}{{?text}}-r"]`), ""},
		{"other braces", tool(`argv = ["{{.Name}}", "{{ text }}", "{text}"]`), ""},
		{"stdin alone", tool(`stdin = "x"`), "stdin needs argv"},
		{"stdout alone", tool(`stdout = "text"`), "stdout needs argv"},
		{"exit codes alone", tool(`exit_codes = [1]`), "exit_codes needs argv"},
		{"an unknown argument", tool(`argv = ["{{txet}}"]`), `"txet" is not a property`},
		{"an unknown condition", tool(`argv = ["{{?txet}}-r"]`), `"txet" is not a property`},
		{"an unknown argument of stdin", tool("argv = []\nstdin = \"{{txet}}\""), `"txet" is not a property`},
		{"an unknown setting", tool(`argv = ["{{config.text}}"]`), `"text" is not a setting`},
		{"a late condition", tool(`argv = ["-r{{?deep}}"]`), "at the beginning"},
		{"a condition in stdin", tool("argv = []\nstdin = \"{{?deep}}x\""), "{{?name}}"},
		{"another format", tool("argv = []\nstdout = \"xml\""), `"xml"`},
		{"exit code 0", tool("argv = []\nexit_codes = [0]"), "exit_codes contains 0"},
		{"exit code 256", tool("argv = []\nexit_codes = [256]"), "exit_codes contains 256"},
		{"a library", strings.Replace(tool("argv = []\nfunction = \"f\""), `abi = "wasi"`, `abi = "extism"`, 1), `argv needs abi = "wasi"`},
		{"an undo", strings.Replace(tool("argv = []\nreversible = true"), `class = "read"`, `class = "write"`, 1), "reversible needs a command"},
		{"a reconcile", strings.Replace(tool("argv = []\nreconcile = \"grep.find\""), `class = "read"`, `class = "write"`, 1), "reconcile needs a command"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := manifest.Parse([]byte(tc.manifest))
			text := ""
			if err != nil {
				text = i18n.English().Text(message.FromError(err))
			}
			if (err == nil) != (tc.want == "") || !strings.Contains(text, tc.want) {
				t.Fatalf("got %q, want %q", text, tc.want)
			}
		})
	}
}
