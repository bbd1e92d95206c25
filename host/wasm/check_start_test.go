package wasm_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// beginning is a plugin whose warm-up looks at what it has: the setting k, which it
// keeps; and, by the name of the setting, a variable that it sets or a request that
// it makes. The tool answers the setting's first byte and whether there is a variable.
const beginning = `
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "load_u8" (func $load (param i64) (result i32)))
  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
  (import "extism:host/env" "config_get" (func $config (param i64) (result i64)))
  (import "extism:host/env" "var_get" (func $var (param i64) (result i64)))
  (import "extism:host/env" "var_set" (func $set (param i64 i64)))
  (import "extism:host/env" "http_request" (func $http (param i64 i64) (result i64)))
  (import "extism:host/env" "output_set" (func $out (param i64 i64)))
  (memory 1)
  (data (i32.const 0) "{\"url\":\"https://a.example/\"}")
  (global $k (mut i32) (i32.const 45))
  (func $name (result i64) (local $at i64)
    (local.set $at (call $alloc (i64.const 1)))
    (call $store (local.get $at) (i32.const 107))
    (local.get $at))
  (func (export "w") (local $v i64) (local $i i32)
    (local.set $v (call $config (call $name)))
    (if (i64.ne (local.get $v) (i64.const 0)) (then (global.set $k (call $load (local.get $v)))))
    (if (i32.eq (global.get $k) (i32.const 118)) (then (call $set (call $name) (call $name))))
    (if (i32.eq (global.get $k) (i32.const 104)) (then
      (local.set $v (call $alloc (i64.const 28)))
      (loop $copy
        (call $store (i64.add (local.get $v) (i64.extend_i32_u (local.get $i))) (i32.load8_u (local.get $i)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $copy (i32.lt_u (local.get $i) (i32.const 28))))
      (drop (call $http (local.get $v) (i64.const 0))))))
  (func (export "go") (result i32) (local $at i64)
    (local.set $at (call $alloc (i64.const 2)))
    (call $store (local.get $at) (global.get $k))
    (call $store (i64.add (local.get $at) (i64.const 1)) (i32.add (i32.const 48) (i64.ne (call $var (call $name)) (i64.const 0))))
    (call $out (local.get $at) (i64.const 2))
    (i32.const 0))`

// TestBeginsAlike: what a plugin sees while it begins is the same whether that is
// done ahead of time or by the first call: its settings, and nothing of any call's.
func TestBeginsAlike(t *testing.T) {
	const manifest = "schema = 1\nid = \"b\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nwarmup = \"w\"\nhosts = [\"a.example\"]\n[config.k]\ntype = \"string\"\n" +
		"[[tool]]\nname = \"b\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"commit\"\n"
	module := assemble(t, beginning)
	for _, tt := range []struct{ name, setting, want, code string }{
		{"a setting", "x", "x0", ""},
		{"a variable is not the call's", "v", "v0", ""},
		{"a request", "h", "", "host_denied"},
	} {
		for _, ahead := range []bool{true, false} {
			name := tt.name + ", by the first call"
			if ahead {
				name = tt.name + ", ahead of it"
			}
			t.Run(name, func(t *testing.T) {
				asked := 0
				h := newHost(t, wasm.Options{
					Config: func(string) map[string]any { return map[string]any{"k": tt.setting} },
					Client: func(string, []string) *http.Client {
						return &http.Client{Transport: serve(func(http.ResponseWriter, *http.Request) { asked++ })}
					},
				})
				p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "m.wasm": {Data: module}})
				must.Succeed(t, err)
				if ahead {
					must.Succeed(t, p.Prepare(t.Context()))
				}
				for range 2 {
					r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "b", ActionID: "a1", Args: map[string]any{}})
					e := r.Error
					if err != nil {
						e = tool.AsError(err)
					}
					if tt.code != "" {
						if e == nil || e.Code != tt.code {
							t.Errorf("%+v, want %s", e, tt.code)
						}
						continue
					}
					if got, _ := r.Payload.(string); e != nil || got != tt.want {
						t.Errorf("%#v (%v), want %q", r.Payload, e, tt.want)
					}
				}
				if asked > 0 {
					t.Errorf("it made %d requests while it began", asked)
				}
			})
		}
	}
}

// TestFunctionsThatBegin: whichever functions are called before, also those that
// begin the plugin themselves, a call finds a plugin that began once.
func TestFunctionsThatBegin(t *testing.T) {
	h := newHost(t, wasm.Options{})
	m := wasm.Module{Name: "m.wasm", Bytes: assemble(t, `
	  (import "extism:host/env" "input_length" (func (result i64)))
	  (global $begun (mut i32) (i32.const 0))
	  (memory 1)
	  (func $more (global.set $begun (i32.add (global.get $begun) (i32.const 1))))
	  (func (export "_initialize") (call $more))
	  (func (export "_start") (call $more))
	  (func (export "times") (result i32) (global.get $begun))`)}
	for _, state := range []manifest.State{manifest.Fresh, manifest.Sticky} {
		for _, first := range []string{"_initialize", "_start", "times"} {
			s := session(t, h, m, state, wasm.CallOptions{})
			want := int32(1)
			for n, function := range []string{first, "times", "times", first, "times", "times"} {
				if state == manifest.Sticky && n >= 3 && function != "times" {
					break // what a sticky one is told to do again it does
				}
				out, err := s.Call(t.Context(), function, nil)
				if state == manifest.Sticky && first == "_start" {
					want = 2 // a program's main is no initialiser
				}
				if err != nil || function == "times" && out.ExitCode != want {
					t.Errorf("%s: call %d, of %s after %s: it had begun %d times (%v), want %d", state, n, function, first, out.ExitCode, err, want)
				}
			}
		}
	}
}

// TestBeginsAlikeByTheHost: so is what the host says of itself: the least level of
// lines that are kept, how many may be written, and the folders there are.
func TestBeginsAlikeByTheHost(t *testing.T) {
	module := assemble(t, `
	  (import "extism:host/env" "get_log_level" (func $level (result i32)))
	  (import "extism:host/env" "length" (func $length (param i64) (result i64)))
	  (import "extism:host/env" "log_info" (func $log (param i64)))
	  (import "extism:host/user" "list_roots" (func $roots (result i64)))
	  (global $seen (mut i32) (i32.const 0))
	  (memory 1)
	  (func (export "w")
	    (call $log (i64.const 0)) (call $log (i64.const 0))
	    (global.set $seen (i32.add (i32.mul (i32.wrap_i64 (call $length (call $roots))) (i32.const 10)) (call $level))))
	  (func (export "go") (result i32) (global.get $seen))`)
	for _, lines := range []int{1, 2} {
		var told [2]string
		for n := range told {
			h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {t.TempDir()}}})
			p, err := h.Load(fstest.MapFS{"m.wasm": {Data: module}, "plugin.toml": {Data: fmt.Appendf(nil, "schema = 1\nid = \"b\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nwarmup = \"w\"\n"+
				"[limits]\nlog_lines = %d\n[[paths]]\nroot = \"files.roots\"\nmode = \"ro\"\n"+
				"[[tool]]\nname = \"b\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"commit\"\n", lines)}})
			must.Succeed(t, err)
			if n == 1 {
				_ = p.Prepare(t.Context()) // what is wrong the call says as well
			}
			r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "b", ActionID: "a1"})
			if err == nil && r.Error != nil {
				err = r.Error
			}
			told[n] = tool.AsError(err).Code + " " + i18n.English().Text(tool.AsError(err).Message)
		}
		if told[0] != told[1] {
			t.Errorf("with %d lines, by the first call:\n%s\nahead of it:\n%s", lines, told[0], told[1])
		}
		if limited := strings.HasPrefix(told[0], "log_lines_limit"); limited != (lines == 1) {
			t.Errorf("with %d lines: %s", lines, told[0])
		}
	}
}

// TestBegins: why a plugin can't begin is told without a call, and nothing where a
// setting is missing that it may need.
func TestBegins(t *testing.T) {
	module := assemble(t, `
	  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	  (import "extism:host/env" "error_set" (func $error (param i64)))
	  (memory 1)
	  (func (export "well"))
	  (func (export "breaks") (unreachable))
	  (func (export "refuses") (result i32) (i32.const 3))
	  (func (export "complains") (call $error (call $alloc (i64.const 3))))
	  (func (export "grows") (loop $more (br_if $more (i32.ne (memory.grow (i32.const 100)) (i32.const -1)))) (unreachable))
	  (func (export "go") (result i32) (i32.const 0))`)
	initialised := assemble(t, `
	  (import "extism:host/env" "input_length" (func (result i64)))
	  (func (export "_initialize") (unreachable))
	  (func (export "go") (result i32) (i32.const 0))`)
	for _, tt := range []struct {
		name, lines string
		module      []byte
		code        string
	}{
		{"well", `warmup = "well"`, module, ""},
		{"no warm-up", "", module, ""},
		{"a trap", `warmup = "breaks"`, module, "plugin_trap"},
		{"an exit code", `warmup = "refuses"`, module, "warmup_failed"},
		{"an error", `warmup = "complains"`, module, "warmup_failed"},
		{"too much memory", `warmup = "grows"`, module, "memory_limit"},
		{"an initialiser", "", initialised, "plugin_trap"},
		{"an initialiser of a sticky one", `state = "sticky"`, initialised, "plugin_trap"},
		{"a missing setting", "warmup = \"breaks\"\n[config.k]\ntype = \"secret\"\nhosts = [\"a.example\"]", module, ""},
		{"a setting with a default", "warmup = \"breaks\"\n[config.k]\ntype = \"int\"\ndefault = 1", module, "plugin_trap"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHost(t, wasm.Options{})
			p, err := h.Load(fstest.MapFS{"m.wasm": {Data: tt.module}, "plugin.toml": {Data: []byte("schema = 1\nid = \"b\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nhosts = [\"a.example\"]\n" +
				tt.lines + "\n[[tool]]\nname = \"b\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n")}})
			must.Succeed(t, err)
			for range 2 {
				if err := p.CheckStart(t.Context()); (err == nil) != (tt.code == "") || err != nil && tool.AsError(err).Code != tt.code {
					t.Errorf("%v, want %q", err, tt.code)
				}
			}
		})
	}
}

// TestListingsBegin: a call can't go on from where another's listing of a folder was,
// which would tell it what that call did; within a call a listing goes on.
func TestListingsBegin(t *testing.T) {
	h, dir := newHost(t, wasm.Options{}), t.TempDir()
	for _, name := range []string{"a", "b", "c", "d"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	m := wasm.Module{Name: "m.wasm", Bytes: assemble(t, `
	  (import "wasi_snapshot_preview1" "fd_readdir" (func $list (param i32 i32 i32 i64 i32) (result i32)))
	  (import "extism:host/env" "input_length" (func (result i64)))
	  (memory 1)
	  (func $from (param $cookie i64) (result i32)
	    (i32.mul (i32.const 1000) (call $list (i32.const 3) (i32.const 100) (i32.const 1000) (local.get $cookie) (i32.const 40))))
	  (func (export "begin")
	    (drop (call $from (i64.const 0))))
	  (func (export "all") (result i32)
	    (drop (call $from (i64.const 0)))
	    (i32.add (call $from (i64.const 2)) (i32.load (i32.const 40))))
	  (func (export "rest") (result i32)
	    (i32.store (i32.const 40) (i32.const 0))
	    (i32.add (call $from (i64.const 2)) (i32.load (i32.const 40))))`)}
	const missing, entries = 44_000, 4 * 25
	for _, tt := range []struct {
		state  manifest.State
		warmup string
		rest   int32 // after another call has listed the folder
	}{{manifest.Fresh, "", missing}, {manifest.Fresh, "begin", missing}, {manifest.Sticky, "", entries}} {
		s := session(t, h, m, tt.state, wasm.CallOptions{Warmup: tt.warmup, Mounts: []wasm.Mount{{Host: dir, Guest: "/d"}}})
		for n, step := range []struct {
			function string
			want     int32
		}{{"rest", missing}, {"all", entries}, {"rest", tt.rest}, {"all", entries}, {"rest", tt.rest}} {
			if out, err := s.Call(t.Context(), step.function, nil); err != nil || out.ExitCode != step.want {
				t.Errorf("%s, warm-up %q: call %d, %s: %d (%v), want %d", tt.state, tt.warmup, n, step.function, out.ExitCode, err, step.want)
			}
		}
	}
}
