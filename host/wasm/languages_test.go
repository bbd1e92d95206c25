package wasm_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// TestExtismLanguages: the same plugin, made with the PDKs of Go and of
// AssemblyScript and by the ABI's bare imports in Rust and in C.
func TestExtismLanguages(t *testing.T) {
	var sent []string
	client := func(string, []string) *http.Client {
		return &http.Client{Transport: serve(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			sent = append(sent, r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Test")+" "+string(body))
			w.Write([]byte("answered"))
		})}
	}
	h := newHost(t, wasm.Options{Client: client})
	for _, name := range []string{"pdk-go", "pdk-as", "raw-rust", "raw-c"} {
		t.Run(name, func(t *testing.T) {
			m := guest(t, name)
			call := func(function, input string, o wasm.CallOptions) wasm.Output {
				t.Helper()
				out, err := h.Call(t.Context(), m, function, []byte(input), o)
				must.Succeed(t, err)
				return out
			}
			want := func(out wasm.Output, text string, lines ...string) {
				t.Helper()
				if diff := cmp.Diff(wasm.Output{Data: []byte(text), Logs: logged(lines...).Logs}, out, uncounted, cmp.Transformer("empty", func(l []wasm.LogLine) []wasm.LogLine { return append([]wasm.LogLine{}, l...) })); diff != "" {
					t.Errorf("outcome (-want +got):\n%s", diff)
				}
			}
			want(call("run", "Ann", wasm.CallOptions{}), "hello, Ann! var 1, calls 1", "info", "ran")
			vars := map[string][]byte{}
			greeting := wasm.CallOptions{Config: map[string]string{"greeting": "Hi"}, Vars: vars}
			want(call("run", "Ann", greeting), "Hi, Ann! var 1, calls 1", "info", "ran")
			want(call("run", "Ben", greeting), "Hi, Ben! var 2, calls 1", "info", "ran") // variables stay, the rest is fresh

			failed := call("run", "fail", wasm.CallOptions{})
			if !failed.Error.Equal(message.Verbatim("it failed")) || failed.ExitCode != 1 {
				t.Errorf("a failure is %+v", failed)
			}
			for _, n := range []int{0, 1, 7, 8, 9, 1000, 1 << 20} {
				input := strings.Repeat("Ж?", n)[:n]
				if out := call("echo", input, wasm.CallOptions{}); string(out.Data) != input {
					t.Errorf("echo of %d bytes answered %d others", n, len(out.Data))
				}
			}
			sent = nil
			reach := wasm.CallOptions{AllowHosts: []string{"example.com"}}
			want(call("fetch", "https://example.com/x", reach), "200 answered")
			if diff := cmp.Diff([]string{"POST /x 7 sent"}, sent); diff != "" {
				t.Errorf("the server saw (-want +got):\n%s", diff)
			}
			_, err := h.Call(t.Context(), m, "fetch", []byte("https://example.com/x"), wasm.CallOptions{})
			wantError(t, err, tool.PolicyDenied, "host_denied")
		})
	}
}

// TestWASILanguages: the same command in four languages, as a plugin.
func TestWASILanguages(t *testing.T) {
	const manifest = `
schema = 1
id = "guest"
version = "1.0.0"
description = "A command"
module = "guest.wasm"
abi = "wasi"
[[tool]]
name = "guest.length"
description = "The length of what it was sent"
side_effect_class = "read"
effect = "read"
args_schema = '{"type":"object"}'
`
	for _, name := range []string{"wasi-go", "wasi-as", "wasi-rust", "wasi-c"} {
		t.Run(name, func(t *testing.T) {
			var lines []string
			h := newHost(t, wasm.Options{Log: func(_ context.Context, _, level string, line message.Message) {
				lines = append(lines, level+" "+i18n.English().Text(line))
			}})
			p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "guest.wasm": {Data: guest(t, name).Bytes}})
			must.Succeed(t, err)
			call := func(text string) tool.Result {
				t.Helper()
				r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "guest.length", ActionID: "a1", Args: map[string]any{"text": text}})
				must.Succeed(t, err)
				return r
			}
			sent, err := json.Marshal(map[string]any{
				"tool": "guest.length", "args": map[string]any{"text": "héllo"}, "config": map[string]any{}, "call_id": "a1", "idempotency_key": "",
			})
			must.Succeed(t, err)
			r := call("héllo")
			if diff := cmp.Diff(map[string]any{"length": float64(len(sent))}, r.Payload); r.Error != nil || diff != "" {
				t.Errorf("payload (-want +got):\n%s%v", diff, r.Error)
			}
			if r := call("fail"); r.Error == nil || r.Error.Code != "plugin.refused" || i18n.English().Text(r.Error.Message) != "plugin guest says: it failed" {
				t.Errorf("a failure is %+v", r)
			}
			if diff := cmp.Diff([]string{"info ran", "info ran"}, lines); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExportsABIOnly: a plugin can't import the kernel's functions for the host.
func TestExportsABIOnly(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for _, i := range []imported{{env, "prepare", i64toI64}, {env, "memory", nothing}, {"errand:extism", "config_get", i64toI64}, {"errand:extism", "reset", nothing}} {
		code := mod{imports: []imported{i}, funcs: []fn{{"f", nothing, nil}}}.bytes()
		_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "f", nil, wasm.CallOptions{})
		wantError(t, err, tool.ToolUnavailable, "missing_imports")
	}
}
