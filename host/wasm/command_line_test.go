package wasm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

const commandManifest = `
schema = 1
id = "text"
version = "1.0.0"
description = "Commands for texts"
module = "command.wasm"
abi = "wasi"
[[paths]]
root = "files.roots"
mode = "rw"
[limits]
timeout_ms = 60000
[config.label]
type = "string"
default = "none"

[[tool]]
name = "text.args"
description = "Its arguments"
side_effect_class = "read"
effect = "read"
argv = ["args", "{{?loud}}-l", "{{?count}}-n", "{{count}}", "--label={{config.label}}", "--word={{words}}", "{{width}}x{{height}}", "{{first}}", "--", "{{words}}"]
args_schema = '''{"type": "object", "properties": {
  "loud": {"type": "boolean"}, "count": {"type": ["integer", "null"]}, "words": {"type": "array", "items": {"type": "string"}},
  "width": {"type": "number"}, "height": {"type": "number"}, "first": {}}}'''

[[tool]]
name = "text.cat"
description = "Its input"
side_effect_class = "read"
effect = "read"
argv = ["cat"]
stdin = "{{text}}"
args_schema = '{"type": "object", "properties": {"text": {}}}'

[[tool]]
name = "text.json"
description = "Its input as JSON"
side_effect_class = "read"
effect = "read"
argv = ["cat"]
stdin = '{"value": {{text}}, "path": "/root/0/a"}'
stdout = "json"
args_schema = '{"type": "object", "properties": {"text": {}}}'

[[tool]]
name = "text.find"
description = "Lines"
side_effect_class = "read"
effect = "read"
argv = ["find", "{{?count}}-c", "--", "{{text}}", "{{path}}"]
exit_codes = [1]
args_schema = '{"type": "object", "properties": {"text": {"type": "string"}, "count": {"type": "boolean"}, "path": {"type": "array", "items": {"type": "string", "format": "path"}}}}'

[[tool]]
name = "text.copy"
description = "A copy"
side_effect_class = "write"
effect = "file"
argv = ["copy", "{{from}}", "{{to}}"]
writes = ["to"]
args_schema = '{"type": "object", "properties": {"from": {"type": "string", "format": "path"}, "to": {"type": "string", "format": "path"}}}'
`

// commandCall calls tools of an existing command, with a folder that has a.txt.
func commandCall(t *testing.T) (root string, call func(name string, args map[string]any) (tool.Result, error)) {
	t.Helper()
	root = t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\ntwo\nten\n"), 0o600))
	h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
	p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(commandManifest)}, "command.wasm": {Data: guest(t, "command-c").Bytes}})
	must.Succeed(t, err)
	tools := map[string]tool.Tool{}
	for _, one := range p.Tools() {
		tools[one.Spec().Name] = one
	}
	return root, func(name string, args map[string]any) (tool.Result, error) {
		return tools[name].Call(t.Context(), tool.Call{Tool: name, ActionID: "a1", Args: args})
	}
}

func TestCommandLine(t *testing.T) {
	root, call := commandCall(t)
	file := filepath.Join(root, "a.txt")
	text := func(lines ...string) map[string]any {
		return map[string]any{"text": strings.Join(lines, "\n") + "\n"}
	}
	tests := []struct {
		name, tool string
		args       map[string]any
		want       any    // the payload, or
		code       string // the error's code
		say        string // and what its message names
	}{
		{"no arguments", "text.args", nil, text("[--label=none]", "[--]"), "", ""},
		{"options in safe places", "text.args", map[string]any{"words": []any{"-c"}}, text("[--label=none]", "[--word=-c]", "[--]", "[-c]"), "", ""},
		{
			"a list", "text.args",
			map[string]any{"loud": true, "count": 3.0, "words": []any{"a b", "é"}, "width": 10.0, "height": 2.5, "first": "x"},
			text("[-l]", "[-n]", "[3]", "[--label=none]", "[--word=a b]", "[--word=é]", "[10x2.5]", "[x]", "[--]", "[a b]", "[é]"), "", "",
		},
		{"false and null", "text.args", map[string]any{"loud": false, "count": nil, "width": 10.0}, text("[--label=none]", "[--]"), "", ""},
		{"an object", "text.args", map[string]any{"first": map[string]any{"a": "<b>"}}, text("[--label=none]", `[{"a":"<b>"}]`, "[--]"), "", ""},
		{"an empty text", "text.args", map[string]any{"first": ""}, text("[--label=none]", "[]", "[--]"), "", ""},
		{"an option", "text.args", map[string]any{"first": "--label=mine"}, nil, "invalid_args", "--label=mine"},
		{"a negative number", "text.args", map[string]any{"first": -5.0}, text("[--label=none]", "[-5]", "[--]"), "", ""},
		{"standard input by name", "text.args", map[string]any{"first": "-"}, text("[--label=none]", "[-]", "[--]"), "", ""},
		{"a NUL", "text.args", map[string]any{"first": "a\x00b"}, nil, "invalid_args", "NUL"},
		{"a placeholder as a value", "text.args", map[string]any{"first": "{{words}}", "words": []any{}}, text("[--label=none]", "[{{words}}]", "[--]"), "", ""},

		{"input", "text.cat", map[string]any{"text": "a\nb"}, map[string]any{"text": "a\nb"}, "", ""},
		{"no input", "text.cat", nil, map[string]any{"text": ""}, "", ""},
		{"an object as input", "text.cat", map[string]any{"text": []any{1.0, "x"}}, map[string]any{"text": `[1,"x"]`}, "", ""},

		{"JSON", "text.json", map[string]any{"text": 5.0}, map[string]any{"value": 5.0, "path": filepath.Join(root, "a")}, "", ""},
		{"no JSON", "text.json", map[string]any{"text": "x"}, nil, "bad_output", "not JSON"},

		{"a file", "text.find", map[string]any{"text": "t", "path": []any{file}}, map[string]any{"text": file + ": two\n" + file + ": ten\n", "exit_code": 0}, "", ""},
		{"a text after --", "text.find", map[string]any{"text": "-c", "path": []any{file}}, map[string]any{"text": "", "exit_code": 1}, "", ""},
		{"a number of lines", "text.find", map[string]any{"text": "e", "count": true, "path": []any{file, file}}, map[string]any{"text": "4\n", "exit_code": 0}, "", ""},
		{"exit code", "text.find", map[string]any{"text": "e", "path": []any{filepath.Join(root, "none")}}, nil, "plugin_exited", filepath.Join(root, "none") + ": cannot be opened"},
		{"a file outside", "text.find", map[string]any{"text": "e", "path": []any{"/etc/passwd"}}, nil, "path_outside_roots", "/etc/passwd"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := call(tc.tool, tc.args)
			must.Succeed(t, err)
			if tc.code == "" {
				if got.Error != nil {
					t.Fatal(i18n.English().Text(got.Error.Message))
				}
				if diff := cmp.Diff(tc.want, got.Payload); diff != "" {
					t.Fatal(diff)
				}
				return
			}
			if got.Error == nil || got.Error.Code != tc.code || !strings.Contains(i18n.English().Text(got.Error.Message), tc.say) {
				t.Fatalf("got %+v, want %s with %q", got.Error, tc.code, tc.say)
			}
		})
	}
}

// A command changes only the files that its arguments name, and a failed one may have
// changed something.
func TestCommandLineWrites(t *testing.T) {
	root, call := commandCall(t)
	from, to := filepath.Join(root, "a.txt"), filepath.Join(root, "b.txt")
	if r, err := call("text.copy", map[string]any{"from": from, "to": to}); err != nil || r.Error != nil {
		t.Fatal(err, r.Error)
	}
	if b, err := os.ReadFile(to); err != nil || string(b) != "one\ntwo\nten\n" {
		t.Fatalf("%q, %v", b, err)
	}
	_, err := call("text.copy", map[string]any{"from": filepath.Join(root, "none"), "to": to})
	if e := tool.AsError(err); err == nil || e.Code != "plugin_exited" {
		t.Fatalf("got %v, want plugin_exited as an unknown outcome", err)
	}
}
