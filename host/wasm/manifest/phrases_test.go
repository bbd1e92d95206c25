package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/manifest"
	"errand/planner/phrase"
)

const withPhrases = `schema = 1
id = "loud"
version = "1.0.0"
module = "m.wasm"
abi = "wasi"
[[tool]]
name = "loud.upper"
description = "Capital letters"
side_effect_class = "read"
effect = "read"
args_schema = '''{"type":"object","properties":{
  "text":{"type":"string"}, "times":{"type":"integer"}, "rate":{"type":"number"}, "on":{"type":"boolean"}, "file":{"type":"string","format":"path"},
  "list":{"type":"array","items":{"type":"string"}}, "any":{}, "deep":{"type":"object","properties":{"file":{"type":"string","format":"path"}}}
},"required":["text"],"additionalProperties":false}'''
`

// TestPhraseErrors: each error names the line, the plugin, the phrase and the key.
func TestPhraseErrors(t *testing.T) {
	entry := func(text, more string) string {
		return "[[phrases]]\ntext = " + fmt.Sprintf("%q", text) + "\ntool = \"loud.upper\"\n" + more + "\n"
	}
	for _, tt := range []struct{ name, phrases, want string }{
		{"valid", entry("shout {text}", "") + entry("крикни {text}", ""), ""},
		{"all kinds", entry("shout {text} just {times} at {rate} if {on} into {file}", ""), ""},
		{"a constant", entry("shout", `args = { text = "hello", times = 2, rate = 1.5, on = true }`), ""},
		{"an empty text", entry("", ""), `phrase 1 "", text: it is empty`},
		{"bad syntax", entry("shout {text", ""), `plugin loud, phrase 1 "shout {text", text: "{text" is not a slot`},
		{"the second of two", entry("shout {text}", "") + entry("{text} now", ""), `plugin loud, phrase 2 "{text} now", text: it begins with a slot`},
		{"the same twice", entry("shout {text}", "") + entry("SHOUT  {text}", ""), "phrase 2 \"SHOUT  {text}\", text: the same phrase is declared above"},
		{"another tool", strings.Replace(entry("shout {text}", ""), "loud.upper", "files.delete_folder", 1), `tool: "files.delete_folder" is not a tool of this plugin`},
		{"no tool", "[[phrases]]\ntext = \"shout {text}\"\n", `tool: "" is not a tool`},
		{"an unknown slot", entry("shout {text} to {whom}", ""), `text: the tool has no argument "whom"`},
		{"a slot of a list", entry("shout {text} to {list}", ""), `the argument "list" can't be said in words`},
		{"a slot of any type", entry("shout {text} to {any}", ""), `the argument "any" can't be said in words`},
		{"a slot of an object", entry("shout {text} to {deep}", ""), `the argument "deep" can't be said in words`},
		{"a missing argument", entry("shout {times}", ""), `text: the tool needs the argument "text"`},
		{"an unknown constant", entry("shout {text}", `args = { whom = "x" }`), `args: the tool has no argument "whom"`},
		{"a slot and a constant", entry("shout {text}", `args = { text = "x" }`), `args: "text" is already a slot`},
		{"a constant path", entry("shout {text}", `args = { file = "x" }`), `args: "file" is a path`},
		{"a constant path inside", entry("shout {text}", `args = { deep = { file = "x" } }`), `args: "deep" is a path`},
		{"a slash", entry("shout", `args = { text = "a/b" }`), `args: the constant "text" must be`},
		{"a backslash", entry("shout", `args = { text = 'a\b' }`), `args: the constant "text" must be`},
		{"home", entry("shout", `args = { text = "~" }`), `args: the constant "text" must be`},
		{"a secret", entry("shout", `args = { text = "{{secret:x}}" }`), `args: the constant "text" must be`},
		{"an invisible constant", entry("shout", `args = { text = "a\u202Eb" }`), `args: the constant "text" must be`},
		{"a long constant", entry("shout", `args = { text = "`+strings.Repeat("a", 201)+`" }`), `args: the constant "text" must be`},
		{"a list as a constant", entry("shout {text}", `args = { list = ["a"] }`), `args: the constant "list" must be`},
		{"an empty example", entry("shout {text}", `examples = [" "]`), "examples:"},
		{"an invisible example", entry("shout {text}", `examples = ["shout \u200B"]`), "without control or invisible characters"},
		{"a long example", entry("shout {text}", `examples = ["`+strings.Repeat("a", 301)+`"]`), "1 to 300 bytes"},
		{"many examples", entry("shout {text}", `examples = [`+strings.Repeat(`"a",`, 11)+`]`), "phrases.examples has 11 items; the limit is 10"},
		{"an unknown key", entry("shout {text}", `slot = "x"`), "slot"},
		{"a table", "[phrases]\nen = \"x\"\n", "phrases"},
		{"many", many(51, entry), "phrases has 51 items; the limit is 50"},
	} {
		_, err := manifest.Parse([]byte(withPhrases + tt.phrases))
		got := ""
		if err != nil {
			got = i18n.English().Error(err)
		}
		if tt.want == "" && got != "" || tt.want != "" && !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q; want %q", tt.name, got, tt.want)
		}
		if tt.want != "" && !strings.Contains(got, "plugin.toml:") {
			t.Errorf("%s: %q names no line", tt.name, got)
		}
	}
}

func many(n int, entry func(text, more string) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(entry(fmt.Sprintf("shout%d {text}", i), ""))
	}
	return b.String()
}

func TestParsePhrases(t *testing.T) {
	m, err := manifest.Parse([]byte(withPhrases + "[[phrases]]\ntext = \"put {text} into {file}\"\ntool = \"loud.upper\"\nargs = { times = 2 }\n"))
	must.Succeed(t, err)
	all := m.ParsePhrases()
	if len(all) != 1 || all[0].Kinds["text"] != phrase.Text || all[0].Kinds["file"] != phrase.Path || all[0].Args["times"] != int64(2) || all[0].Plugin != "loud" {
		t.Errorf("%+v", all)
	}
}
