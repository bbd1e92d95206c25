package wasm_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// TestReplacesWithoutPreview: a plugin of somebody else that lists nothing may replace the
// file that it is given, or every file in a folder.
func TestReplacesWithoutPreview(t *testing.T) {
	const text = `schema = 1
id = "s"
version = "1"
module = "m.wasm"
abi = "wasi"
[[paths]]
root = "files.roots"
mode = "rw"
[[tool]]
name = "s"
description = "d"
side_effect_class = "write"
effect = "file"
reversible = true
replaces = "over"
args_schema = '{"type": "object", "properties": {"out": {"type": "string", "format": "path"}, "over": {"type": "boolean", "default": DEFAULT}}}'
`
	for _, tt := range []struct {
		name, standard string
		out            string
		over           any // nil: left out
		want           []string
		note           string
	}{
		{"a file", "false", "a.txt", true, []string{"a.txt"}, "replaces 1 existing file"},
		{"a new file", "false", "new.txt", true, nil, ""},
		{"not asked for", "false", "a.txt", false, nil, ""},
		{"left out", "false", "a.txt", nil, nil, ""},
		{"left out, the default is true", "true", "a.txt", nil, []string{"a.txt"}, "replaces 1 existing file"},
		{"a folder", "false", "d", true, []string{"d/b.txt", "d/deep/c.txt"}, "may replace 2 existing files,"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			must.Succeed(t, os.MkdirAll(filepath.Join(root, "d/deep"), 0o700))
			for _, name := range []string{"a.txt", "d/b.txt", "d/deep/c.txt"} {
				must.Succeed(t, os.WriteFile(filepath.Join(root, name), nil, 0o600))
			}
			h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
			p, err := h.Load(fstest.MapFS{
				"plugin.toml": {Data: []byte(strings.Replace(text, "DEFAULT", tt.standard, 1))},
				"m.wasm":      {Data: assemble(t, `(memory (export "memory") 1) (func (export "_start"))`)},
			})
			must.Succeed(t, err)
			args := map[string]any{"out": filepath.Join(root, tt.out)}
			if tt.over != nil {
				args["over"] = tt.over
			}
			f, err := p.Tools()[0].(tool.Forecaster).Forecast(t.Context(), tool.Call{Tool: "s", Args: args})
			must.Succeed(t, err)
			var want []string
			for _, name := range tt.want {
				want = append(want, filepath.Join(root, name))
			}
			note := i18n.English().Text(f.Note)
			if !slices.Equal(f.Destroys, want) || f.Count != len(want) || f.Reversible != (want == nil) || !strings.Contains(note, tt.note) || f.Note.IsZero() != (want == nil) {
				t.Errorf("%q destroys %v, count %d, reversible %t; want %v", note, f.Destroys, f.Count, f.Reversible, want)
			}
		})
	}
}
