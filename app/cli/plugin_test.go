package cli

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/extism/go-sdk" // its test plugins are found through the module cache

	"errand/app/cli/print"
	"errand/build/must"
)

// TestPluginCall calls the plugins of the Extism Go SDK's test suite, with the outputs that its
// tests expect, and a WASI command in Go.
func TestPluginCall(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	must.Succeed(t, err)
	sdk := func(name string) string { return filepath.Join(strings.TrimSpace(string(dir)), "wasm", name) }
	text, err := filepath.Abs("../../plugins/dist/text/text.wasm")
	must.Succeed(t, err)
	tests := []struct {
		name   string
		args   []string
		stdin  string
		exit   print.Exit
		stdout string
		stderr string // part of it
	}{
		{"count_vowels", []string{sdk("count_vowels.wasm"), "count_vowels", "--input", "hello world"}, "", print.Done, `{"count":3,"total":3,"vowels":"aeiouAEIOU"}`, ""},
		{"input from standard input", []string{sdk("count_vowels.wasm"), "count_vowels", "--input", "-"}, "hello", print.Done, `{"count":2,"total":2,"vowels":"aeiouAEIOU"}`, ""},
		{"config", []string{sdk("config.wasm"), "run_test", "--config", "thing=hello"}, "", print.Done, `{"config": "hello"}`, ""},
		{"config unset", []string{sdk("config.wasm"), "run_test"}, "", print.Done, `{"config": "<unset by host>"}`, ""},
		{"var", []string{sdk("var.wasm"), "run_test"}, "", print.Done, "a: 0", ""},
		{"log", []string{sdk("log.wasm"), "run_test"}, "", print.Done, "", "this is an error log"},
		{"fail", []string{sdk("fail.wasm"), "run_test"}, "", print.Failed, "", "Some error message"},
		{"hello", []string{sdk("hello.wasm"), "run_test"}, "", print.Done, "Hello, world!", ""},
		{"exit 0", []string{sdk("exit.wasm"), "_start", "--config", "code=0"}, "", print.Done, "", ""},
		{"exit 2", []string{sdk("exit.wasm"), "_start", "--config", "code=2"}, "", print.Failed, "", "exit code 2"},
		{"a command in Go", []string{sdk("std_command.wasm"), "_start", "--input", "ben"}, "", print.Done, "hello ben", ""},
		{
			"a bundled plugin by hand",
			[]string{text, "_start", "--input", `{"tool":"text.stats","args":{"input":"a b"},"config":{},"call_id":"1"}`},
			"", print.Done, `{"ok":true,"payload":{"bytes":3,"characters":3,"words":2,"lines":1}}`, "",
		},
		{"no such function", []string{sdk("hello.wasm"), "run_tset"}, "", print.Failed, "", "run_test"},
		{"a host that is not allowed", []string{sdk("http.wasm"), "run_test"}, "", print.Denied, "", "not allowed"},
		{"too little memory", []string{sdk("count_vowels.wasm"), "count_vowels", "--memory", "64KiB"}, "", print.Failed, "", "memory"},
		{"a deadline", []string{sdk("sleep.wasm"), "run_test", "--timeout", "300ms", "--config", "duration=10"}, "", print.Failed, "", "300"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, message bytes.Buffer
			home := t.TempDir()
			must.ShareKey(t, filepath.Join(home, ".local/share/errand"))
			code := Main(context.Background(), System{
				Args: append([]string{"plugin", "call"}, tt.args...), Env: []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache},
				Stdin: strings.NewReader(tt.stdin), Stdout: &out, Stderr: &message,
			})
			if print.Exit(code) != tt.exit || strings.TrimSpace(out.String()) != tt.stdout || !strings.Contains(message.String(), tt.stderr) {
				t.Errorf("exit %d, standard output %q, standard error %q; want %d, %q, %q", code, out.String(), message.String(), tt.exit, tt.stdout, tt.stderr)
			}
		})
	}
}
