package wasm_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	sdkhost "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/wasm"
)

// TestSameAsTheGoSDK runs plugins under Extism's own Go host and under this
// one, and wants the same output, error and code from both.
func TestSameAsTheGoSDK(t *testing.T) {
	h := newHost(t, wasm.Options{})
	inputs := []string{"", "a", "fail", "hello world", "Привет, мир", strings.Repeat("test ", 3000), "\x00\xff\xfe", `{"json": [1, 2, 3]}`}
	tests := []struct {
		file, function string
		config         map[string]string
	}{
		{"count_vowels.wasm", "count_vowels", nil},
		{"count_vowels.wasm", "count_vowels", map[string]string{"vowels": "xyz"}},
		{"hello.wasm", "run_test", nil},
		{"fail.wasm", "run_test", nil},
		{"noop.wasm", "run_test", nil},
		{"replace.wasm", "run_test", nil},
		{"config.wasm", "run_test", nil},
		{"config.wasm", "run_test", map[string]string{"thing": "value with ünïcode"}},
		{"var.wasm", "run_test", nil},
		{"log.wasm", "run_test", nil},
		{"input_offset.wasm", "input_offset_length", nil},
		{"hello_haskell.wasm", "testing", map[string]string{"greeting": "Hi"}},
		{"std_command.wasm", "_start", nil},
		{"exit.wasm", "_start", map[string]string{"code": "7"}},
		{"exit.wasm", "_start", map[string]string{"code": "abc"}},
		{"exit.wasm", "_start", nil},
		{"http.wasm", "run_test", nil}, // refused by both
		{"read_write.wasm", "try_read", map[string]string{"path": "/etc/hostname"}},
		{"alloc.wasm", "no_such_function", nil},
		{"count_vowels_std.wasm", "_start", nil},
		{"fs.wasm", "run_test", nil},     // no folder is shown
		{"fs_std.wasm", "run_test", nil}, // likewise
		{"http_headers.wasm", "http_get", nil},
		{"println.wasm", "run_test", nil},
		{"sleep.wasm", "run_test", map[string]string{"duration": "0"}},
		{"pdk-go", "run", nil},
		{"pdk-go", "run", map[string]string{"greeting": "Hi"}},
		{"pdk-go", "echo", nil},
		{"pdk-as", "run", nil},
		{"pdk-as", "echo", nil},
		{"raw-rust", "run", map[string]string{"greeting": "Hi"}},
		{"raw-rust", "echo", nil},
		{"raw-c", "run", nil},
		{"raw-c", "echo", nil},
	}
	// Modules of whole language runtimes take seconds to compile, with both hosts.
	large := []string{"hello_haskell.wasm", "std_command.wasm", "count_vowels_std.wasm", "fs_std.wasm"}
	for _, tt := range tests {
		if slices.Contains(large, tt.file) && !tier.IsLong() {
			continue // the shorter tier has a Go runtime in pdk-go
		}
		t.Run(tt.file+"/"+tt.function, func(t *testing.T) {
			var m wasm.Module
			if strings.HasSuffix(tt.file, ".wasm") {
				m = fixture(t, tt.file)
			} else {
				m = guest(t, tt.file)
			}
			theirs := theirHost(t, m, tt.config)
			for _, input := range inputs {
				ours, err := h.Call(t.Context(), m, tt.function, []byte(input), wasm.CallOptions{Config: tt.config})
				want := theirs(tt.function, []byte(input))
				// The AssemblyScript PDK's outputString makes room for a text's UTF-16 and
				// stores its UTF-8.
				wantAstray := tt.file == "pdk-as" && tt.function == "run" && len(input) != utf8.RuneCountInString(input)
				astray := slices.ContainsFunc(ours.Logs, func(l wasm.LogLine) bool {
					return l.Level == "warn" && strings.HasPrefix(l.Message.Code, "plugin.log_bad_")
				})
				if astray != wantAstray {
					t.Errorf("%q: what a PDK made is found to go astray: %t, want %t: %v", input, astray, wantAstray, ours.Logs)
				}
				if failed := err != nil || !ours.Error.IsZero(); failed != want.failed {
					t.Errorf("%q: failed is %v (%v, %q), theirs %v (%q)", input, failed, err, ours.Error, want.failed, want.message)
					continue
				}
				if err == nil && uint32(ours.ExitCode) != want.code {
					t.Errorf("%q: code %d, theirs %d", input, ours.ExitCode, want.code)
				}
				if !want.failed && !bytes.Equal(ours.Data, want.output) {
					t.Errorf("%q: output %q, theirs %q", input, ours.Data, want.output)
				}
				if want.code != 0 && want.message == "" { // a code alone: this host puts it into words
					want.message = fmt.Sprintf("%s ended with exit code %d", m.Name, int32(want.code))
				}
				if err == nil && !strings.Contains(want.message, "exit_code") && i18n.English().Text(ours.Error) != want.message {
					t.Errorf("%q: error %q, theirs %q", input, ours.Error, want.message)
				}
			}
		})
	}
}

type theirOutcome struct {
	output  []byte
	code    uint32
	failed  bool
	message string
}

// theirHost compiles a plugin with the Go SDK; each call gets a new instance,
// as under this host.
func theirHost(t *testing.T, m wasm.Module, config map[string]string) func(string, []byte) theirOutcome {
	t.Helper()
	ctx := context.Background()
	manifest := sdkhost.Manifest{
		Wasm:   []sdkhost.Wasm{sdkhost.WasmData{Data: m.Bytes, Name: "main"}},
		Config: config,
	}
	compiled, err := sdkhost.NewCompiledPlugin(ctx, manifest, sdkhost.PluginConfig{
		EnableWasi: true, RuntimeConfig: wazero.NewRuntimeConfigInterpreter(), // compiling takes longer than all the calls
	}, nil)
	must.Succeed(t, err)
	t.Cleanup(func() { compiled.Close(ctx) })
	return func(function string, input []byte) theirOutcome {
		plugin, err := compiled.Instance(ctx, sdkhost.PluginInstanceConfig{ModuleConfig: wazero.NewModuleConfig().WithSysWalltime()})
		must.Succeed(t, err)
		defer plugin.Close(ctx)
		code, output, err := plugin.Call(function, input)
		out := theirOutcome{output: output, code: code, failed: err != nil || code != 0}
		if err != nil {
			out.message = i18n.English().Error(err)
		}
		return out
	}
}

// TestModulesThatNeedMore: plugins that import functions of their embedder are
// refused, with the names.
func TestModulesThatNeedMore(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for file, missing := range map[string]string{
		"host.wasm": `"mult"`, "host_memory.wasm": `"to_upper"`, "host_multiple.wasm": `"hostGreenMessage"`, "main.wasm": `"lib"`,
	} {
		_, err := h.Call(t.Context(), fixture(t, file), "run_test", nil, wasm.CallOptions{})
		wantError(t, err, "tool_unavailable", "missing_imports")
		if !strings.Contains(i18n.English().Error(err), missing) {
			t.Errorf("%s: %q does not name %s", file, err, missing)
		}
	}
}

func TestVariables(t *testing.T) {
	h := newHost(t, wasm.Options{})
	vars := map[string][]byte{"a": {10, 0, 0, 0}}
	for _, want := range []byte{20, 40, 80} {
		if _, err := h.Call(t.Context(), fixture(t, "var.wasm"), "run_test", nil, wasm.CallOptions{Vars: vars}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(vars["a"], []byte{want, 0, 0, 0}) {
			t.Errorf("variable a is % x, want %x", vars["a"], want)
		}
	}
}

// TestHTTP runs the SDK's HTTP plugins against a server of our own, through the
// client that the host is given.
func TestHTTP(t *testing.T) {
	asked := map[string][]string{}
	client := func(plugin string, hosts []string) *http.Client {
		asked[plugin] = hosts
		return &http.Client{Transport: serve(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Add("X-Two", "1")
			w.Header().Add("X-Two", "2")
			w.Write([]byte(r.Method + " " + r.URL.String()))
		})}
	}
	h := newHost(t, wasm.Options{Client: client})
	hosts := wasm.CallOptions{AllowHosts: []string{"jsonplaceholder.typicode.com"}}
	out, err := h.Call(t.Context(), fixture(t, "http.wasm"), "run_test", nil, hosts)
	if err != nil || string(out.Data) != "GET https://jsonplaceholder.typicode.com/todos/1" {
		t.Errorf("http.wasm: %q, %v", out.Data, err)
	}
	if got := asked["http.wasm"]; len(got) != 1 || got[0] != "jsonplaceholder.typicode.com" {
		t.Errorf("the client was made for hosts %v", got)
	}
	out, err = h.Call(t.Context(), fixture(t, "http_headers.wasm"), "http_get", []byte(`{"url":"https://extism.org"}`), hosts)
	if err != nil || !strings.Contains(string(out.Data), `"content-type":"text/html; charset=utf-8"`) || !strings.Contains(string(out.Data), `"x-two":"1,2"`) {
		t.Errorf("http_headers.wasm: %q, %v", out.Data, err)
	}

	t.Run("S3-H18 a host that is not its own is refused in the host's function", func(t *testing.T) {
		_, err := h.Call(t.Context(), fixture(t, "http.wasm"), "run_test", nil, wasm.CallOptions{})
		wantError(t, err, "policy_denied", "host_denied")
		if !strings.Contains(i18n.English().Error(err), "HTTP request to 'https://jsonplaceholder.typicode.com/todos/1' is not allowed") {
			t.Errorf("without hosts: %v", err)
		}
	})
}

// serve is a transport that answers requests from a handler, so that no name
// has to be resolved.
type serve http.HandlerFunc

func (s serve) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	s(rec, r)
	resp := rec.Result()
	resp.Request = r
	return resp, nil
}
