package wasm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// greedy exports a function for each limit, which goes beyond it.
const greedy = `
	(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	(import "extism:host/env" "store_u8" (func $store (param i64 i32)))
	(import "extism:host/env" "output_set" (func $output (param i64 i64)))
	(import "extism:host/env" "error_set" (func $error (param i64)))
	(import "extism:host/env" "log_warn" (func $log (param i64)))
	(import "extism:host/env" "var_set" (func $set (param i64 i64)))
	(import "extism:host/env" "http_request" (func $request (param i64 i64) (result i64)))
	(memory 1)
	(data (i32.const 0) "{\"url\":\"https://example.com/\"}")
	(func $put (result i64) (local $at i64) (local $n i32)
		(local.set $at (call $alloc (i64.const 30)))
		(loop $more
			(call $store (i64.add (local.get $at) (i64.extend_i32_u (local.get $n))) (i32.load8_u (local.get $n)))
			(br_if $more (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 30))))
		(local.get $at))
	(func (export "grow") (loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable))
	(func (export "alloc") (loop $more (br_if $more (i64.ne (call $alloc (i64.const 65536)) (i64.const 0)))) (unreachable))
	(func (export "spin") (loop $more (br $more)))
	(func (export "output") (call $output (call $alloc (i64.const 2000000)) (i64.const 2000000)))
	(func (export "error") (call $error (call $alloc (i64.const 2000000))))
	(func (export "log") (loop $more (call $log (i64.const 0)) (br $more)))
	(func (export "vars") (call $set (call $put) (call $alloc (i64.const 2000000))))
	(func (export "requests") (loop $more (drop (call $request (call $put) (i64.const 0))) (br $more)))
	(func $deep (export "deep") (call $deep) (call $deep))`

// endless is a client whose answers to HEAD are empty and to anything else longer
// than any limit.
type endless struct{ empty bool }

func (e endless) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: http.NoBody}
	if !e.empty {
		w.Body = io.NopCloser(zeros{})
	}
	return w, nil
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// TestLimitsAreNamed: whoever passes a limit, a plugin or a module alone, is told
// whose it is, how high, and what raises it.
func TestLimitsAreNamed(t *testing.T) {
	module := assemble(t, greedy)
	tests := []struct {
		key, function string
		code          string
		set           string // in the manifest
		value         string // as the message has it
		options       wasm.CallOptions
		alone         string // the value that a module alone has
		flag          string // that raises it there; empty: none does
	}{
		{key: "memory", function: "grow", code: "memory_limit", set: `"1MiB"`, value: "1MiB", options: wasm.CallOptions{Memory: 2 << 20}, alone: "2MiB", flag: "--memory"},
		{key: "memory", function: "alloc", code: "memory_limit", set: `"1MiB"`, value: "1MiB", options: wasm.CallOptions{Memory: 2 << 20}, alone: "2MiB", flag: "--memory"},
		{key: "timeout_ms", function: "spin", code: "deadline_exceeded", set: "30", value: "30ms", options: wasm.CallOptions{Timeout: 20 * time.Millisecond}, alone: "20ms", flag: "--timeout"},
		{key: "fuel", function: "spin", code: "fuel_limit", set: "5000", value: "5000", options: wasm.CallOptions{Fuel: 4000}, alone: "4000"},
		{key: "output", function: "output", code: "output_limit", set: `"1KiB"`, value: "1KiB", options: wasm.CallOptions{Output: 2 << 10}, alone: "2KiB"},
		{key: "output", function: "error", code: "output_limit", set: `"1KiB"`, value: "1KiB", options: wasm.CallOptions{Output: 2 << 10}, alone: "2KiB"},
		{key: "log_lines", function: "log", code: "log_lines_limit", set: "7", value: "7 lines", alone: "1000 lines"},
		{key: "vars", function: "vars", code: "vars_limit", set: `"1KiB"`, value: "1KiB", alone: "1MiB"},
		{key: "http_requests", function: "requests", code: "http_requests_limit", set: "2", value: "2 HTTP requests", alone: "100 HTTP requests"},
		{key: "http_body", function: "requests", code: "http_body_limit", set: `"100KiB"`, value: "100KiB", alone: "50MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.key+" "+tt.function, func(t *testing.T) {
			h := newHost(t, wasm.Options{Client: func(string, []string) *http.Client {
				return &http.Client{Transport: endless{empty: tt.key == "http_requests"}}
			}})
			plugin := greedyPlugin(t, h, module, "[limits]\n"+tt.key+" = "+tt.set, tt.function)
			r, err := plugin.Call(t.Context(), tool.Call{Tool: "greedy", ActionID: "a1"})
			if err == nil && r.Error != nil {
				err = r.Error
			}
			withModuleName(t, "plugin greedy", tt.code, tt.value, "limits."+tt.key, err)
			tt.options.AllowHosts = []string{"example.com"}
			_, err = h.Call(t.Context(), wasm.Module{Name: "greedy.wasm", Bytes: module}, tt.function, nil, tt.options)
			if tt.flag == "" {
				tt.flag = "limits." + tt.key
			}
			withModuleName(t, "greedy.wasm", tt.code, tt.alone, tt.flag, err)
		})
	}
}

// TestDepthIsNamed: the one limit that nothing raises says so.
func TestDepthIsNamed(t *testing.T) {
	h := newHost(t, wasm.Options{})
	_, err := h.Call(t.Context(), wasm.Module{Name: "greedy.wasm", Bytes: assemble(t, greedy)}, "deep", nil, wasm.CallOptions{})
	withModuleName(t, "greedy.wasm", "depth_limit", "8MiB", "this limit is fixed", err)
}

func greedyPlugin(t *testing.T, h *wasm.Host, module []byte, lines, function string) tool.Tool {
	t.Helper()
	manifest := fmt.Sprintf("schema = 1\nid = \"greedy\"\nversion = \"1.0.0\"\nmodule = \"greedy.wasm\"\nabi = \"extism\"\nhosts = [\"example.com\"]\n"+
		"%s\n[[tool]]\nname = \"greedy\"\nfunction = %q\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n", lines, function)
	p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "greedy.wasm": {Data: module}})
	must.Succeed(t, err)
	return p.Tools()[0]
}

// withModuleName wants an error that says whose limit it is, how high, and what raises it.
func withModuleName(t *testing.T, who, code, value, raise string, err error) {
	t.Helper()
	e := tool.AsError(err)
	if err == nil || e.Code != code || !strings.Contains(i18n.English().Text(e.Message), who) || !strings.Contains(i18n.English().Text(e.Message), value) || !strings.Contains(i18n.English().Text(e.Hint), raise) {
		t.Errorf("%s\n  %q\n  hint %q\nwant code %s, %q and %q, and %q in the hint", e.Code, i18n.English().Text(e.Message), i18n.English().Text(e.Hint), code, who, value, raise)
	}
}

// TestLimitsOfFilesAreNamed: the same of what bounds files.
func TestLimitsOfFilesAreNamed(t *testing.T) {
	const some = "schema = 1\nid = \"rogue\"\nversion = \"1.0.0\"\nmodule = \"rogue.wasm\"\nabi = \"wasi\"\n" +
		"[limits]\nopen_files = 20\n[[paths]]\nroot = \"files.roots\"\nmode = \"rw\"\nquota = \"%s\"\nmax_file = \"%s\"\n" +
		"[[tool]]\nname = \"rogue.%s\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nargs_schema = '{\"type\":\"object\"}'\n"
	tests := []struct{ key, trick, quota, most, code, value, raise, alone string }{
		{"open_files", "fds", "1MiB", "1MiB", "open_files_limit", "20 files", "limits.open_files", "256 files"},
		{"quota", "write", "3B", "3B", "quota_limit", "3B", "quota in [[paths]]", "3B"},
		{"max_file", "write", "1MiB", "3B", "max_file_limit", "3B", "max_file in [[paths]]", "3B"},
	}
	for _, tt := range tests {
		t.Run(tt.key, func(t *testing.T) {
			root := t.TempDir()
			name := "a.txt"
			must.Succeed(t, os.WriteFile(filepath.Join(root, name), []byte("old"), 0o600))
			if tt.key == "quota" {
				name = "new.txt" // an entry counts, too
			}
			h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
			p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: fmt.Appendf(nil, some, tt.quota, tt.most, tt.trick)}, "rogue.wasm": {Data: rogue(t)}})
			must.Succeed(t, err)
			_, err = p.Tools()[0].Call(t.Context(), tool.Call{Tool: "rogue." + tt.trick, ActionID: "a1", Args: map[string]any{"path": filepath.Join(root, name)}})
			withModuleName(t, "plugin rogue", tt.code, tt.value, tt.raise, err)

			mount := wasm.Mount{Host: root, Guest: "/data"}
			if tt.key != "open_files" {
				mount.Quota, mount.MaxFile = 1<<20, 3
				if tt.key == "quota" {
					mount.Quota = 3
				}
			}
			_, err = h.Call(t.Context(), wasm.Module{Name: "rogue.wasm", Bytes: rogue(t)}, "_start",
				fmt.Appendf(nil, `{"tool":"rogue.%s","args":{"path":"/data/%s"}}`, tt.trick, name), wasm.CallOptions{Mounts: []wasm.Mount{mount}})
			withModuleName(t, "rogue.wasm", tt.code, tt.alone, tt.raise, err)
		})
	}
}

// waiting is a client that says when it is asked, and answers nothing until the
// call ends.
type waiting chan struct{}

func (w waiting) RoundTrip(r *http.Request) (*http.Response, error) {
	close(w)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestTurnsAreNamed: a call whose turn doesn't come says what it waited for.
func TestTurnsAreNamed(t *testing.T) {
	module := assemble(t, greedy)
	tests := []struct {
		name, lines string
		calls       int // of all plugins at a time
		say, raise  string
	}{
		{"a plugin's own", "[limits]\ninstances = 1", 0, "it may run 1 call at a time", "limits.instances"},
		{"of all plugins", "[limits]\ninstances = 2", 1, "all plugins together may run 1 call at a time", "no setting"},
		{"sticky", `state = "sticky"`, 0, "it runs one call at a time", `state = "fresh"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := make(waiting)
			h := newHost(t, wasm.Options{Calls: tt.calls, Client: func(string, []string) *http.Client { return &http.Client{Transport: asked} }})
			greedy := greedyPlugin(t, h, module, tt.lines, "requests")
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = greedy.Call(ctx, tool.Call{Tool: "greedy", ActionID: "a1"})
			}()
			<-asked
			short, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer end()
			r, err := greedy.Call(short, tool.Call{Tool: "greedy", ActionID: "a2"})
			if err == nil && r.Error != nil {
				err = r.Error
			}
			withModuleName(t, "plugin greedy", "busy", tt.say, tt.raise, err)
			given, giveUp := context.WithCancel(t.Context())
			giveUp()
			r, err = greedy.Call(given, tool.Call{Tool: "greedy", ActionID: "a3"})
			if err == nil && r.Error != nil {
				err = r.Error
			}
			wantError(t, err, tool.ExecutionError, "interrupted")
			cancel()
			<-ended
		})
	}
}

// TestGivenUpWhileCompiling: who gives up while a module is compiled is told that
// the call was interrupted, and not that it took too long.
func TestGivenUpWhileCompiling(t *testing.T) {
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	h := newHost(t, wasm.Options{})
	_, err := h.Call(ctx, wasm.Module{Name: "a", Bytes: assemble(t, greedy)}, "requests", nil, wasm.CallOptions{})
	wantError(t, err, tool.ExecutionError, "interrupted")
}
