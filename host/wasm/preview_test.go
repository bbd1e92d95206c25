package wasm_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// previewPlugin has a write tool for each of its read tools: list keeps something in its
// memory and in a variable and answers a list, ask sends a request first, and tell reports
// what an earlier call kept.
const previewPlugin = `
	(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	(import "extism:host/env" "store_u8" (func $store (param i64 i32)))
	(import "extism:host/env" "output_set" (func $output (param i64 i64)))
	(import "extism:host/env" "http_request" (func $request (param i64 i64) (result i64)))
	(import "extism:host/env" "var_set" (func $set (param i64 i64)))
	(import "extism:host/env" "var_get" (func $get (param i64) (result i64)))
	(memory 1)
	(data (i32.const 0) "{\"url\":\"https://a.example/\"}")
	(data (i32.const 64) "{\"count\":1,\"entries\":[{\"name\":\"x\"}]}")
	(data (i32.const 128) "{\"count\":7,\"entries\":[]}")
	(data (i32.const 192) "{\"count\":0,\"entries\":[]}")
	(global $kept (mut i32) (i32.const 0))
	(func $put (param $from i32) (param $n i32) (result i64) (local $at i64) (local $i i32)
		(local.set $at (call $alloc (i64.extend_i32_u (local.get $n))))
		(loop $next
			(call $store (i64.add (local.get $at) (i64.extend_i32_u (local.get $i))) (i32.load8_u (i32.add (local.get $from) (local.get $i))))
			(br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
		(local.get $at))
	(func $answer (param $from i32) (param $n i32) (call $output (call $put (local.get $from) (local.get $n)) (i64.extend_i32_u (local.get $n))))
	(func (export "send"))
	(func (export "list")
		(global.set $kept (i32.const 1))
		(call $set (call $put (i32.const 0) (i32.const 1)) (call $put (i32.const 0) (i32.const 3)))
		(call $answer (i32.const 64) (i32.const 36)))
	(func (export "ask")
		(drop (call $request (call $put (i32.const 0) (i32.const 28)) (i64.const 0)))
		(call $answer (i32.const 64) (i32.const 36)))
	(func (export "tell")
		(if (i32.or (global.get $kept) (i64.ne (call $get (call $put (i32.const 0) (i32.const 1))) (i64.const 0)))
			(then (call $answer (i32.const 128) (i32.const 24)))
			(else (call $answer (i32.const 192) (i32.const 24)))))`

// loadPreviewPlugin returns the tools of previewPlugin by their names, and the number of
// requests that they sent.
func loadPreviewPlugin(t *testing.T, state string) (map[string]tool.Tool, *atomic.Int32) {
	t.Helper()
	var sent atomic.Int32
	h := newHost(t, wasm.Options{Client: func(string, []string) *http.Client {
		return &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			sent.Add(1)
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("ok"))}, nil
		})}
	}})
	text := "schema = 1\nid = \"p\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nstate = \"" + state + "\"\nhosts = [\"a.example\"]\n"
	for _, look := range []string{"list", "ask", "tell"} {
		text += "[[tool]]\nname = \"p.send-" + look + "\"\nfunction = \"send\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"commit\"\npreview = \"p." + look + "\"\n" +
			"[[tool]]\nname = \"p." + look + "\"\nfunction = \"" + look + "\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	}
	p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(text)}, "m.wasm": {Data: assemble(t, previewPlugin)}})
	must.Succeed(t, err)
	tools := map[string]tool.Tool{}
	for _, x := range p.Tools() {
		tools[x.Spec().Name] = x
	}
	return tools, &sent
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestPreviewStaysHere: before an approval a plugin sends nothing and keeps nothing that a
// later call could send, and policy decides whether it runs at all.
func TestPreviewStaysHere(t *testing.T) {
	permit := func(ctx context.Context) context.Context {
		return tool.WithPreviews(ctx, func(tool.Spec, tool.Call) *tool.Error { return nil })
	}
	deny := func(ctx context.Context) context.Context {
		return tool.WithPreviews(ctx, func(spec tool.Spec, _ tool.Call) *tool.Error {
			return tool.NewError(tool.PolicyDenied, "rule", message.Verbatim("no "+spec.Name))
		})
	}
	for _, tt := range []struct {
		name, state string
		earlier     string // a read call before the forecast
		call        string
		in          func(context.Context) context.Context
		note        string
		kept        float64 // what a read call finds after the forecast
	}{
		{"a list", "fresh", "", "list", permit, "contains 1", 0},
		{"a request", "fresh", "", "ask", permit, "a preview can't send requests", 0},
		{"a request, sticky", "sticky", "", "ask", permit, "a preview can't send requests", 0},
		{"what a preview keeps", "sticky", "", "list", permit, "contains 1", 0},
		{"what a read call kept", "sticky", "list", "tell", permit, "contains 0", 7},
		{"denied", "fresh", "", "list", deny, "no p.list", 0},
		{"denied, sticky", "sticky", "", "list", deny, "no p.list", 0},
		{"a request, denied", "fresh", "", "ask", deny, "no p.ask", 0},
		{"not decided", "fresh", "", "ask", func(ctx context.Context) context.Context { return ctx }, "can't be listed", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tools, sent := loadPreviewPlugin(t, tt.state)
			if tt.earlier != "" {
				if r, err := tools["p."+tt.earlier].Call(t.Context(), tool.Call{}); err != nil || !r.OK {
					t.Fatal(r.Error, err)
				}
			}
			f, err := tools["p.send-"+tt.call].(tool.Forecaster).Forecast(tt.in(t.Context()), tool.Call{Tool: "p.send-" + tt.call})
			must.Succeed(t, err)
			if note := i18n.English().Text(f.Note); !strings.Contains(note, tt.note) {
				t.Errorf("the note is %q, want %q", note, tt.note)
			}
			if n := sent.Load(); n != 0 {
				t.Errorf("the preview sent %d requests", n)
			}
			r, err := tools["p.tell"].Call(t.Context(), tool.Call{})
			if err != nil || !r.OK {
				t.Fatal(r.Error, err)
			}
			if got := r.Payload.(map[string]any)["count"]; got != tt.kept {
				t.Errorf("a later call finds %v, want %v", got, tt.kept)
			}
			if r, err := tools["p.ask"].Call(t.Context(), tool.Call{}); err != nil || !r.OK || sent.Load() != 1 {
				t.Errorf("a call of its own sent %d requests: %+v, %v", sent.Load(), r.Error, err)
			}
		})
	}
}
