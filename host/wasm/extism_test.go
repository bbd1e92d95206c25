package wasm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/build/must"
	"errand/host/wasm"
	"errand/planner/message"
)

// TestExtismPlugins runs the plugins of the Extism Go SDK's test suite and
// wants what that suite states.
func TestExtismPlugins(t *testing.T) {
	h := newHost(t, wasm.Options{})
	folder := t.TempDir()
	must.Succeed(t, os.CopyFS(folder, os.DirFS(sdkFolder(t, "testdata"))))
	if err := os.Chmod(filepath.Join(folder, "test.txt"), 0o600); err != nil {
		t.Fatal(err) // the module cache is read-only
	}
	rw := []wasm.Mount{{Host: folder, Guest: "/mnt"}}
	ro := []wasm.Mount{{Host: folder, Guest: "/mnt", ReadOnly: true}}
	tests := []struct {
		name     string
		file     string
		function string
		input    string
		options  wasm.CallOptions
		want     wasm.Output
	}{
		{name: "hello (C)", file: "hello.wasm", function: "run_test", want: said("Hello, world!")},
		{name: "alloc", file: "alloc.wasm", function: "run_test", want: said("")},
		{name: "noop (TinyGo)", file: "noop.wasm", function: "run_test", want: said("")},
		{name: "count vowels (Rust)", file: "count_vowels.wasm", function: "count_vowels", input: "hello world", want: said(`{"count":3,"total":3,"vowels":"aeiouAEIOU"}`)},
		{name: "count vowels, no input", file: "count_vowels.wasm", function: "count_vowels", want: said(`{"count":0,"total":0,"vowels":"aeiouAEIOU"}`)},
		{name: "count vowels, state is fresh", file: "count_vowels.wasm", function: "count_vowels", input: "bbba", want: said(`{"count":1,"total":1,"vowels":"aeiouAEIOU"}`)},
		{name: "input by offset", file: "input_offset.wasm", function: "input_offset_length", input: "hello world", want: said("\x0b\x00\x00\x00\x00\x00\x00\x00")},
		{name: "config set", file: "config.wasm", function: "run_test", options: wasm.CallOptions{Config: map[string]string{"thing": "hello"}}, want: said(`{"config": "hello"}`)},
		{name: "config unset", file: "config.wasm", function: "run_test", want: said(`{"config": "<unset by host>"}`)},
		{name: "fail", file: "fail.wasm", function: "run_test", want: wasm.Output{Error: message.Verbatim("Some error message"), ExitCode: 1, Logs: none}},
		{name: "exit -1", file: "exit.wasm", function: "_start", options: code("-1"), want: wasm.Output{Error: message.New("plugin.exited", "name", "exit.wasm", "code", -1), ExitCode: -1, Logs: none}},
		{name: "exit 500", file: "exit.wasm", function: "_start", options: code("500"), want: wasm.Output{Error: message.New("plugin.exited", "name", "exit.wasm", "code", 500), ExitCode: 500, Logs: none}},
		{name: "exit 0", file: "exit.wasm", function: "_start", options: code("0"), want: said("")},
		{name: "log from warn", file: "log.wasm", function: "run_test", options: wasm.CallOptions{LogLevel: "warn"}, want: logged(
			"warn", "this is a warning log", "error", "this is an error log")},
		{name: "log from trace", file: "log.wasm", function: "run_test", options: wasm.CallOptions{LogLevel: "trace"}, want: logged(
			"trace", "this is a trace log", "debug", "this is a debug log", "info", "this is an info log",
			"warn", "this is a warning log", "error", "this is an error log")},
		{name: "file (TinyGo)", file: "fs.wasm", function: "run_test", options: wasm.CallOptions{Mounts: rw}, want: said("hello world!")},
		{name: "file, read-only mount", file: "read_write.wasm", function: "try_read", options: wasm.CallOptions{Mounts: ro, Config: map[string]string{"path": "/mnt/test.txt"}}, want: said("hello world!")},
		{name: "file (Go)", file: "fs_std.wasm", function: "run_test", options: wasm.CallOptions{Mounts: rw}, want: said("hello world!")},
		{name: "count vowels (Go command)", file: "count_vowels_std.wasm", function: "_start", input: "hello world", want: said(`{"count": 3, "config": "<unset by host>", "a": "this is var a"}`)},
		{name: "prints (TinyGo)", file: "println.wasm", function: "run_test", input: "hi", want: wasm.Output{Data: []byte{}, Logs: []wasm.LogLine{{Level: "info", Message: message.Verbatim("this was printed from the plugin hi")}}}},
		{name: "replace (TinyGo)", file: "replace.wasm", function: "run_test", input: "test abc test", want: said("wasm abc wasm")},
		{name: "sleep (TinyGo)", file: "sleep.wasm", function: "run_test", options: wasm.CallOptions{Config: map[string]string{"duration": "0"}}, want: said("slept for 0 seconds")},
		{name: "variable, unset", file: "var.wasm", function: "run_test", want: said("a: 0")},
		{name: "instrumented by the observe SDK (C)", file: "nested.c.instr.wasm", function: "_start", input: "hello world", want: said("Hello from Wasm!\n")},
		{name: "command (Go)", file: "std_command.wasm", function: "_start", input: "ben", want: said("hello ben")},
		{
			name: "Haskell runtime", file: "hello_haskell.wasm", function: "testing", input: "John",
			options: wasm.CallOptions{Config: map[string]string{"greeting": "Howdy"}}, want: said("Howdy, John"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := h.Call(t.Context(), fixture(t, tt.file), tt.function, []byte(tt.input), tt.options)
			must.Succeed(t, err)
			if diff := cmp.Diff(tt.want, got, cmp.Comparer(bytes.Equal), uncounted); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

// uncounted leaves out what a call cost.
var uncounted = cmpopts.IgnoreFields(wasm.Output{}, "Fuel", "Memory")

// TestEveryExtismPlugin: no plugin of the SDK's test suite is left out.
func TestEveryExtismPlugin(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sdkFolder(t, "wasm"), "*.wasm"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d plugins, %v", len(files), err)
	}
	var tests []byte
	for _, name := range []string{"extism_test.go", "oracle_test.go", "extism/embed_test.go"} {
		b := must.ReadFile(t, name)
		tests = append(tests, b...)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if !bytes.Contains(tests, []byte(`"`+name+`"`)) && name != "lib.wasm" { // lib is linked to main
			t.Errorf("%s is not run by any test", name)
		}
	}
}

var none = []wasm.LogLine{}

func said(data string) wasm.Output { return wasm.Output{Data: []byte(data), Logs: none} }

func code(c string) wasm.CallOptions { return wasm.CallOptions{Config: map[string]string{"code": c}} }

func logged(pairs ...string) wasm.Output {
	var out wasm.Output
	for i := 0; i < len(pairs); i += 2 {
		out.Logs = append(out.Logs, wasm.LogLine{Level: pairs[i], Message: message.Verbatim(pairs[i+1])})
	}
	return out
}
