package wasm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
	"errand/policy"
)

// errorOf calls a tool and returns its error.
func errorOf(t *testing.T, tl tool.Tool) *tool.Error {
	t.Helper()
	r, err := tl.Call(t.Context(), tool.Call{Tool: tl.Spec().Name, ActionID: "a1", Args: map[string]any{}})
	if err != nil {
		return tool.AsError(err)
	}
	if r.Error == nil {
		t.Fatal("no error")
	}
	return r.Error
}

// writes is code that writes a text to standard error.
func writes(text string) string {
	return fmt.Sprintf(`(i32.store (i32.const 0) (i32.const 16)) (i32.store (i32.const 4) (i32.const %d)) (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))`, len(text))
}

// TestCausesOfEnds: an error says why a plugin ended: the line in which its language's
// runtime says so, however many lines follow it, and in which part of the start code.
func TestCausesOfEnds(t *testing.T) {
	goPanic := "panic: no garden\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1\nexit status 2\n"
	rustPanic := "thread 'main' panicked at src/main.rs:2:5:\nno garden\nnote: run with RUST_BACKTRACE=1\nline\nline\nline\n"
	grow := `(loop $more (br_if $more (i32.ne (memory.grow (i32.const 100)) (i32.const -1))))`
	for _, tt := range []struct {
		name, abi, said, text string
		code                  string
		want, never           string
	}{
		{"a panic of a Go command", "wasi", goPanic, `(func (export "_start") %s (call $exit (i32.const 2)))`, "plugin_exited", "panic: no garden", ""},
		{"a panic of a Go function", "extism", goPanic, `(func (export "go") (result i32) %s (call $exit (i32.const 2)) (i32.const 0))`, "plugin_error", "panic: no garden", ""},
		{"a panic of Rust that traps", "extism", rustPanic, `(func (export "go") (result i32) %s (unreachable))`, "plugin_trap", "panicked at src/main.rs:2:5: no garden", ""},
		{"a fatal error of Go", "wasi", "fatal error: all goroutines are asleep - deadlock!\na\nb\nc\nd\n", `(func (export "_start") %s (call $exit (i32.const 2)))`, "plugin_exited", "all goroutines are asleep", ""},
		{"an exit without a cause", "wasi", "one\ntwo\n", `(func (export "_start") %s (call $exit (i32.const 3)))`, "plugin_exited", "exit code 3", "one"},
		{"a start section", "extism", "", `(func $s (unreachable)) (start $s) (func (export "go") (result i32) (i32.const 0)) ;; %s`, "plugin_trap", "while it started, in start", "in go"},
		{"a command's start section", "wasi", "", `(func $s (unreachable)) (start $s) (func (export "_start")) ;; %s`, "plugin_trap", "while it started, in start", ""},
		{"_initialize", "extism", "", `(func (export "_initialize") (unreachable)) (func (export "go") (result i32) (i32.const 0)) ;; %s`, "plugin_trap", "while it started, in _initialize", "in go"},
		{"constructors", "extism", "", `(func (export "__wasm_call_ctors") (unreachable)) (func (export "go") (result i32) (i32.const 0)) ;; %s`, "plugin_trap", "while it started, in __wasm_call_ctors", ""},
		{"the function", "extism", "", `(func (export "_initialize")) (func (export "go") (result i32) (unreachable)) ;; %s`, "plugin_trap", "in go", "while it started"},
		{"out of memory in a function", "extism", "", `(func (export "go") (result i32) ` + grow + `(unreachable)) ;; %s`, "memory_limit", "memory limit", ""},
		{"out of memory in _initialize", "extism", "", `(func (export "_initialize") ` + grow + `(unreachable)) (func (export "go") (result i32) (i32.const 0)) ;; %s`, "memory_limit", "memory limit", ""},
		{"out of memory in _initialize, which exits", "extism", "", `(func (export "_initialize") ` + grow + `(call $exit (i32.const 1))) (func (export "go") (result i32) (i32.const 0)) ;; %s`, "memory_limit", "memory limit", ""},
		{"out of memory in a start section", "wasi", "", `(func $s ` + grow + `(unreachable)) (start $s) (func (export "_start")) ;; %s`, "memory_limit", "memory limit", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			imports, function := "", ""
			if tt.abi == "extism" {
				imports, function = extismImport, "function = \"go\"\n"
			}
			quoted := ""
			for _, c := range []byte(tt.said) {
				quoted += fmt.Sprintf("\\%02x", c)
			}
			module := assemble(t, imports+`
			  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
			  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
			  (memory (export "memory") 1) (data (i32.const 16) "`+quoted+`")`+fmt.Sprintf(tt.text, writes(tt.said))+"\n")
			manifest := "schema = 1\nid = \"c\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"" + tt.abi + "\"\n[limits]\nmemory = \"1MiB\"\n" +
				"[[tool]]\nname = \"c\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n" + function
			p, err := newHost(t, wasm.Options{}).Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "m.wasm": {Data: module}})
			must.Succeed(t, err)
			e := errorOf(t, p.Tools()[0])
			text := i18n.English().Text(e.Message)
			if e.Code != tt.code || !strings.Contains(text, tt.want) || tt.never != "" && strings.Contains(text, tt.never) {
				t.Errorf("%s: %q; want %s with %q, without %q", e.Code, text, tt.code, tt.want, tt.never)
			}
		})
	}
}

// denied is the error of a client whose policy refused a connection.
type denied struct{}

func (denied) Error() string { return "denied" }
func (denied) Refusal() policy.Decision {
	return policy.Decision{Reason: message.Verbatim("b.example is not listed")}
}

// TestRefusedRequests: a refusal names the target of a redirect, and its hint only what
// the caller can use.
func TestRefusedRequests(t *testing.T) {
	const data = `(data (i32.const 0) "{\"url\":\"https://a.example/\"}")`
	module := assemble(t, `
	  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
	  (import "extism:host/env" "http_request" (func $http (param i64 i64) (result i64)))
	  (memory 1) `+data+`
	  (func (export "go") (result i32) (local $at i64) (local $i i32)
	    (local.set $at (call $alloc (i64.const 28)))
	    (loop $copy
	      (call $store (i64.add (local.get $at) (i64.extend_i32_u (local.get $i))) (i32.load8_u (local.get $i)))
	      (local.set $i (i32.add (local.get $i) (i32.const 1)))
	      (br_if $copy (i32.lt_u (local.get $i) (i32.const 28))))
	    (drop (call $http (local.get $at) (i64.const 0))) (i32.const 0))`)
	redirects := func(string, []string) *http.Client {
		return &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == "a.example" {
				return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"https://b.example/x"}}, Body: http.NoBody, Request: r}, nil
			}
			return nil, denied{}
		})}
	}
	refuses := func(string, []string) *http.Client {
		return &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, denied{} })}
	}
	for _, tt := range []struct {
		name, hosts string
		byFlag      bool
		client      func(string, []string) *http.Client
		want, never string
	}{
		{"a redirect", `"*"`, false, redirects, "to 'https://a.example/' was redirected to 'https://b.example/x'", ""},
		{"no redirect", `"*"`, false, refuses, "to 'https://a.example/' is not allowed", "redirected"},
		{"a plugin without hosts", ``, false, nil, "plugin.toml", "--allow-host"},
		{"a module without hosts", ``, true, nil, "--allow-host", "plugin.toml"},
		{"a redirect of a module", `"*"`, true, redirects, "redirected to 'https://b.example/x'", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHost(t, wasm.Options{Client: tt.client})
			var e *tool.Error
			if tt.byFlag {
				var hosts []string
				if tt.hosts != "" {
					hosts = []string{"*"}
				}
				_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: module}, "go", nil, wasm.CallOptions{AllowHosts: hosts})
				e = tool.AsError(err)
			} else {
				manifest := "schema = 1\nid = \"c\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nhosts = [" + tt.hosts + "]\n" +
					"[[tool]]\nname = \"c\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
				p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "m.wasm": {Data: module}})
				must.Succeed(t, err)
				e = errorOf(t, p.Tools()[0])
			}
			if e == nil {
				t.Fatal("no error")
			}
			if text := i18n.English().Text(e.Message) + "\n" + i18n.English().Text(e.Hint); !strings.Contains(text, tt.want) || tt.never != "" && strings.Contains(text, tt.never) {
				t.Errorf("%q; want %q, without %q", text, tt.want, tt.never)
			}
		})
	}
}

// transport answers requests by a function.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
