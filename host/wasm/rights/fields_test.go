package rights_test

import (
	"reflect"
	"strings"
	"testing"

	"errand/host/wasm/manifest"
	"errand/host/wasm/rights"
)

// writer is a plugin with each field that a manifest can have.
const writer = `schema = 1
id = "notes"
version = "1.0.0"
module = "notes.wasm"
abi = "extism"
[[paths]]
root = "files.roots"
mode = "rw"
[[tool]]
name = "notes.find"
function = "find"
description = "Finds"
side_effect_class = "read"
effect = "read"
args_schema = '{"type":"object","properties":{"text":{"type":"string"},"loud":{"type":"boolean"}}}'
[[tool]]
name = "notes.save"
function = "save"
description = "Saves"
side_effect_class = "write"
effect = "file"
args_schema = '{"type":"object","properties":{"path":{"type":"string","format":"path"},"replace":{"type":"boolean"}}}'
writes_itself = ["path"]
`

// fieldRights says of each key of a manifest whether a change can widen the plugin's rights.
// A key that doesn't widen names a thing, or is a part of the code, which runs within the
// rights.
var fieldRights = map[string]bool{
	"schema": false, "id": false, "version": false, "description": false, "module": false, "sha256": false, "abi": false, "warmup": false,
	"state": true, "hosts": true,
	"paths.root": true, "paths.mode": true, "paths.quota": true, "paths.max_file": true,
	"limits.memory": true, "limits.timeout_ms": true, "limits.output": true, "limits.fuel": true, "limits.http_body": true, "limits.http_requests": true,
	"limits.vars": true, "limits.log_lines": true, "limits.instances": true, "limits.open_files": true,
	"config": true, "config.type": true, "config.hosts": true, "config.default": false,
	"tool.name": true, "tool.side_effect_class": true, "tool.effect": true, "tool.retry_profile": true, "tool.timeout_ms": true, "tool.can_achieve": true,
	"tool.effects": true, "tool.reversible": true, "tool.reconcile": true, "tool.preview": true, "tool.untrusted": true, "tool.writes": true,
	"tool.writes_itself": true, "tool.replaces": true, "tool.args_schema": true, // it marks paths
	"tool.function": false, "tool.description": false, "tool.requires": false, "tool.reads_itself": false, // only of bundled plugins
	"tool.argv": false, "tool.stdin": false, "tool.stdout": false, "tool.exit_codes": false, "tool.case": false,
	"phrases.text": true, "phrases.tool": true, "phrases.args": true, "phrases.examples": false,
}

// TestEveryFieldIsClassified fails if a manifest has a key that fieldRights doesn't know.
func TestEveryFieldIsClassified(t *testing.T) {
	known := map[string]bool{}
	var walk func(typ reflect.Type, prefix string)
	walk = func(typ reflect.Type, prefix string) {
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("toml"), ",")
			if key == "" || key == "-" {
				continue
			}
			inner := typ.Field(i).Type
			if inner.Kind() == reflect.Map && inner.Elem().Kind() == reflect.Struct {
				known[prefix+key] = true
			}
			for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && prefix == "" {
				walk(inner, key+".")
				continue
			}
			known[prefix+key] = true
		}
	}
	walk(reflect.TypeFor[manifest.Manifest](), "")
	for key := range known {
		if _, ok := fieldRights[key]; !ok {
			t.Errorf("%s is not classified: add it to fieldRights, and to FromManifest if it can widen the rights", key)
		}
	}
	for key := range fieldRights {
		if !known[key] {
			t.Errorf("%s is no key of a manifest", key)
		}
	}
}

// TestPartsWiden: what a tool does beside its calls, and the words that call it, are rights.
func TestPartsWiden(t *testing.T) {
	const saves = "writes_itself"
	phrase := func(text, tool, more string) string {
		return writer + "[[phrases]]\ntext = \"" + text + "\"\ntool = \"" + tool + "\"\n" + more
	}
	tool := func(line string) string { return strings.Replace(writer, saves, line+"\n"+saves, 1) }
	command := strings.NewReplacer(`abi = "extism"`, `abi = "wasi"`, "function = \"find\"\n", "", "function = \"save\"\n", "")
	for _, tt := range []struct {
		name, was, is string
		want          string // of the widening changes
	}{
		{"a phrase", writer, phrase("jot {text}", "notes.find", ""), "answers_to"},
		{"another phrase", phrase("jot {text}", "notes.find", ""), phrase("scribble {text}", "notes.find", ""), "answers_to"},
		{"a phrase of another tool", phrase("jot", "notes.find", ""), phrase("jot", "notes.save", ""), "answers_to"},
		{"another constant", phrase("jot", "notes.find", "args = { loud = false }"), phrase("jot", "notes.find", "args = { loud = true }"), "answers_to"},
		{"a phrase that is gone", phrase("jot {text}", "notes.find", ""), writer, ""},
		{"examples", phrase("jot {text}", "notes.find", ""), phrase("jot {text}", "notes.find", `examples = ["jot a"]`), ""},
		{"blanks in a phrase", phrase("jot {text}", "notes.find", ""), phrase("jot  {text}", "notes.find", ""), ""},
		{"a preview", writer, tool(`preview = "notes.find"`), "part_preview"},
		{"another preview", tool(`preview = "notes.find"`), tool(`preview = "notes.find"`), ""},
		{"no preview", tool(`preview = "notes.find"`), writer, ""},
		{"reconcile", writer, tool(`reconcile = "settle"`), "part_reconcile"},
		{"reversible", command.Replace(writer), command.Replace(tool(`reversible = true`)), "part_reversible"},
		{"replaces", writer, tool(`replaces = "replace"`), "part_replaces"},
		{"retries", writer, tool(`retry_profile = "rate_limited"`), "part_retries"},
		{"an effect", writer, tool(`effects = ["notes.saved"]`), "chosen_for_effect"},
		{"no effect", tool(`effects = ["notes.saved"]`), writer, ""},
		{"everything below", writer, strings.Replace(writer, `writes_itself = ["path"]`, `writes = ["path"]`, 1), "changes_below"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			was, is := rights.FromManifest(parse(t, tt.was), nil), rights.FromManifest(parse(t, tt.is), nil)
			var codes []string
			for _, c := range rights.Compare(was, is) {
				if c.Widens {
					codes = append(codes, strings.TrimPrefix(c.Text.Code, "rights."))
				}
			}
			if got := strings.Join(codes, " "); got != tt.want {
				t.Errorf("widening changes are %q; want %q", got, tt.want)
			}
			back, err := rights.Parse(is.Lines())
			if err != nil || back.Digest() != is.Digest() {
				t.Errorf("the list is read back as %v (%v)", back, err)
			}
		})
	}
}
