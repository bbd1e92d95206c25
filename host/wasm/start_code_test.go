package wasm_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// startsHarm is a module that, where its text calls $harm, creates the file "made" in
// its first folder and deletes "mine". $ask sends a request. $set sets a variable.
const startsHarm = `
  (import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_unlink_file" (func $unlink (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "made") (data (i32.const 16) "mine")
  (func $harm
    (drop (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 4) (i32.const 1) (i64.const 64) (i64.const 64) (i32.const 0) (i32.const 64)))
    (drop (call $unlink (i32.const 3) (i32.const 16) (i32.const 4))))
`

// asExtism are the parts that make the module an Extism plugin with the function go, and
// a hyper-mcp plugin.
const (
	extismImport = `(import "extism:host/env" "input_length" (func (result i64)))`
	functions    = `(func (export "go") (result i32) (i32.const 0))
	  (func (export "list_tools") (result i32) (i32.const 0)) (func (export "call_tool") (result i32) (i32.const 0))`
)

// TestStartCode: what a plugin does while it starts changes no file, whichever way it
// starts, and whatever is about to be called. A call of a tool that may write is the
// control: the same code changes the files there.
func TestStartCode(t *testing.T) {
	plugin := func(abi, more, class string) string {
		effect := map[string]string{"read": "read", "write": "file"}[class]
		return "schema = 1\nid = \"s\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"" + abi + "\"\n" + more +
			"\n[[paths]]\nroot = \"files.roots\"\nmode = \"rw\"\n" +
			"[[tool]]\nname = \"s\"\ndescription = \"d\"\nside_effect_class = \"" + class + "\"\neffect = \"" + effect + "\"\n" +
			map[string]string{"wasi": "", "extism": "function = \"go\"\n", "hyper-mcp": "function = \"go\"\n"}[abi]
	}
	for _, tt := range []struct {
		name, abi, more, class, text string
		harm                         bool
	}{
		{"a start section", "extism", "", "write", functions + `(start $harm)`, false},
		{"a start section before a read", "extism", "", "read", functions + `(start $harm)`, false},
		{"_initialize", "extism", "", "write", functions + `(export "_initialize" (func $harm))`, false},
		{"_initialize before a read", "extism", "", "read", functions + `(export "_initialize" (func $harm))`, false},
		{"constructors", "extism", "", "write", functions + `(export "__wasm_call_ctors" (func $harm))`, false},
		{"the runtime of Haskell", "extism", "", "write", functions + `(func (export "hs_init") (param i32 i32) (call $harm))`, false},
		{"a warm-up", "extism", "warmup = \"w\"", "write", functions + `(export "w" (func $harm))`, false},
		{"a sticky plugin's start section", "extism", "state = \"sticky\"", "write", functions + `(start $harm)`, false},
		{"a sticky plugin's _initialize", "extism", "state = \"sticky\"", "write", functions + `(export "_initialize" (func $harm))`, false},
		{"hyper-mcp", "hyper-mcp", "", "write", functions + `(export "_initialize" (func $harm))`, false},
		{"a command's start section", "wasi", "", "write", `(func (export "_start")) (start $harm)`, false},
		{"a command's start section before a read", "wasi", "", "read", `(func (export "_start")) (start $harm)`, false},
		{"a command itself that reads", "wasi", "", "read", `(export "_start" (func $harm))`, false},
		{"a command itself that writes", "wasi", "", "write", `(export "_start" (func $harm))`, true},
		{"a function that reads", "extism", "", "read", `(export "go" (func $harm))`, false},
		{"a function that writes", "extism", "", "write", `(export "go" (func $harm))`, true},
		{"a sticky function that reads", "extism", "state = \"sticky\"", "read", `(export "go" (func $harm))`, false},
		{"a sticky function that writes", "extism", "state = \"sticky\"", "write", `(export "go" (func $harm))`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			mine := filepath.Join(root, "mine")
			must.Succeed(t, os.WriteFile(mine, nil, 0o600))
			wrong := func(when string, harm bool) {
				t.Helper()
				_, deleted := os.Stat(mine)
				_, created := os.Stat(filepath.Join(root, "made"))
				if (deleted != nil) != harm || (created == nil) != harm {
					t.Errorf("%s: deleted %v, created %v; want %v", when, deleted != nil, created == nil, harm)
				}
			}
			imports := ""
			if tt.abi != "wasi" {
				imports = extismImport
			}
			module := assemble(t, imports+startsHarm+tt.text)
			h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
			p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(plugin(tt.abi, tt.more, tt.class))}, "m.wasm": {Data: module}})
			must.Succeed(t, err)
			for _, step := range []struct {
				name string
				do   func() error
			}{
				{"prepare", func() error { return p.Prepare(t.Context()) }},
				{"check the start", func() error { return p.CheckStart(t.Context()) }},
				{"look", func() error { _, err := p.InstanceState(t.Context()); return err }},
			} {
				must.Succeed(t, step.do())
				wrong(step.name, false)
			}
			for n := range 2 {
				_, _ = p.Tools()[0].Call(t.Context(), tool.Call{Tool: "s", ActionID: "a1", Args: map[string]any{}})
				wrong(fmt.Sprint("call ", n+1), tt.harm)
			}
		})
	}
}

// TestStartCodeOfModules: a module that an author calls without a manifest starts the
// same way.
func TestStartCodeOfModules(t *testing.T) {
	root := t.TempDir()
	m := wasm.Module{Name: "m.wasm", Bytes: assemble(t, extismImport+startsHarm+functions+`(start $harm)(export "_initialize" (func $harm))`)}
	h := newHost(t, wasm.Options{})
	o := wasm.CallOptions{Mounts: []wasm.Mount{{Host: root, Guest: "/root/0"}}}
	if _, err := h.Call(t.Context(), m, "go", nil, o); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"fresh", "sticky"} {
		s, err := h.Session(m, manifest.State(state), o)
		must.Succeed(t, err)
		if _, err := s.Call(t.Context(), "go", nil); err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("the start made %v (%v)", entries, err)
	}
}

// TestStartCodeHasNoCall: while a plugin starts it has no network and none of the
// variables of the call that starts it, not even if it keeps its state.
func TestStartCodeHasNoCall(t *testing.T) {
	for _, state := range []string{"fresh", "sticky"} {
		for _, tt := range []struct{ setting, want, code string }{
			{"h", "", "host_denied"},
			{"v", "v0", ""},
		} {
			t.Run(state+" "+tt.setting, func(t *testing.T) {
				asked := 0
				h := newHost(t, wasm.Options{
					Config: func(string) map[string]any { return map[string]any{"k": tt.setting} },
					Client: func(string, []string) *http.Client {
						return &http.Client{Transport: serve(func(http.ResponseWriter, *http.Request) { asked++ })}
					},
				})
				manifest := "schema = 1\nid = \"b\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nstate = \"" + state + "\"\nhosts = [\"a.example\"]\n[config.k]\ntype = \"string\"\n" +
					"[[tool]]\nname = \"b\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"commit\"\n"
				module := assemble(t, strings.Replace(beginning, `(export "w")`, `(export "_initialize")`, 1))
				p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "m.wasm": {Data: module}})
				must.Succeed(t, err)
				r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "b", ActionID: "a1", Args: map[string]any{}})
				e := r.Error
				if err != nil {
					e = tool.AsError(err)
				}
				switch {
				case tt.code != "" && (e == nil || e.Code != tt.code || !strings.Contains(e.Error(), "request_at_start")):
					t.Errorf("%+v, want %s", e, tt.code)
				case tt.code == "" && (e != nil || r.Payload != tt.want):
					t.Errorf("%v (%v), want %q", r.Payload, e, tt.want)
				}
				if asked > 0 {
					t.Errorf("it sent %d requests while it started", asked)
				}
			})
		}
	}
}

// TestWritesFollowArguments: a tool changes only what the arguments name that its
// manifest says it writes.
func TestWritesFollowArguments(t *testing.T) {
	const one, two = `{"type":"object","properties":{"path":{"type":"string","format":"path"}}}`,
		`{"type":"object","properties":{"path":{"type":"string","format":"path"},"into":{"type":"string","format":"path"},"all":{"type":"array","items":{"type":"string","format":"path"}}}}`
	for _, tt := range []struct {
		name, schema, writes string
		args                 map[string]string // of the call; the guest writes to path
		spec                 []string
		wrote                bool
	}{
		{"every path by default", one, "", map[string]string{"path": "a.txt"}, []string{"path"}, true},
		{"the path is not written", two, `writes = ["into"]`, map[string]string{"path": "a.txt", "into": "b"}, []string{"into"}, false},
		{"the path is in the folder", two, `writes = ["into"]`, map[string]string{"path": "b/a.txt", "into": "b"}, []string{"into"}, true},
		{"a list names it", two, `writes = ["all"]`, map[string]string{"path": "a.txt", "all": "a.txt"}, []string{"all"}, true},
		{"a list names another", two, `writes = ["all"]`, map[string]string{"path": "a.txt", "all": "c.txt"}, []string{"all"}, false},
		{"the path itself", one, `writes_itself = ["path"]`, map[string]string{"path": "a.txt"}, []string{"path"}, true},
		{"the folder itself", two, "writes = [\"into\"]\nwrites_itself = [\"into\"]", map[string]string{"path": "b/a.txt", "into": "b"}, []string{"into"}, false},
		{"nothing", two, `writes = []`, map[string]string{"path": "a.txt"}, nil, false},
		{"anything", two, `writes = ["*"]`, map[string]string{"path": "a.txt"}, []string{"*"}, true},
		{"no path is declared", `{"type":"object"}`, "", map[string]string{"path": "a.txt"}, []string{"*"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			must.Succeed(t, os.Mkdir(filepath.Join(root, "b"), 0o755))
			manifest := strings.Replace(rogueManifest, `mode = "ro"`, `mode = "rw"`, 1) +
				"[[tool]]\nname = \"rogue.write\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nargs_schema = '" + tt.schema + "'\n" + tt.writes + "\n"
			h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
			p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "rogue.wasm": {Data: rogue(t)}})
			must.Succeed(t, err)
			made := p.Tools()[0]
			if got := made.Spec().Writes; !slices.Equal(got, tt.spec) {
				t.Errorf("writes %q, want %q", got, tt.spec)
			}
			args := map[string]any{}
			for name, file := range tt.args {
				args[name] = filepath.Join(root, file)
				if name == "all" {
					args[name] = []any{args[name]}
				}
			}
			if _, err := made.Call(t.Context(), tool.Call{Tool: "rogue.write", ActionID: "a1", Args: args}); err != nil {
				t.Fatal(err)
			}
			_, err = os.Stat(filepath.Join(root, tt.args["path"]))
			if wrote := err == nil; wrote != tt.wrote {
				t.Errorf("it wrote the file: %v, want %v", wrote, tt.wrote)
			}
		})
	}
}
