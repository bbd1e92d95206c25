package kit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/kit"
	"errand/planner/message"
)

// TestNodeModules checks that incomplete packages are installed again and complete ones are left
// alone. A stand-in for npm reports that it was called.
func TestNodeModules(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are scripts for sh")
	}
	const (
		asc    = "node_modules/assemblyscript/bin/asc.js"
		long   = "node_modules/long/package.json"
		hidden = "node_modules/.package-lock.json"
		lock   = "package-lock.json"
		both   = `{"packages": {
			"node_modules/assemblyscript": {"version": "1.0.0", "integrity": "sha512-a"}, "node_modules/long": {"version": "5.0.0"}}}`
		locked = `{"packages": {"": {"name": "a"}, "node_modules/other-machine": {"version": "1.0.0", "optional": true},
			"node_modules/assemblyscript": {"version": "1.0.0", "integrity": "sha512-a"}, "node_modules/long": {"version": "5.0.0"}}}`
	)
	tests := []struct {
		name  string
		files map[string]string
		noNPM bool
		asked string // of npm
		says  string
	}{
		{name: "nothing is there", files: map[string]string{lock: locked}, asked: "ci", says: "no compiler"},
		{name: "no lock file", files: map[string]string{}, asked: "install", says: "package.json"},
		{name: "interrupted", files: map[string]string{lock: locked, asc: ""}, asked: "ci", says: "is incomplete"},
		{name: "interrupted without a lock file", files: map[string]string{asc: ""}, asked: "install", says: "is incomplete"},
		{name: "its list is damaged", files: map[string]string{lock: locked, asc: "", hidden: "{"}, asked: "ci", says: "is incomplete"},
		{name: "another version", files: map[string]string{lock: strings.ReplaceAll(locked, "5.0.0", "5.1.0"), asc: "", long: "", hidden: both}, asked: "ci", says: "node_modules does not match package-lock.json"},
		{name: "another content", files: map[string]string{lock: strings.ReplaceAll(locked, "sha512-a", "sha512-b"), asc: "", long: "", hidden: both}, asked: "ci", says: "node_modules does not match package-lock.json"},
		{name: "a package was taken out", files: map[string]string{lock: locked, asc: "", hidden: both}, asked: "ci", says: "node_modules does not match package-lock.json"},
		{name: "whole", files: map[string]string{lock: locked, asc: "", long: "", hidden: both}},
		{name: "whole, without a lock file", files: map[string]string{asc: "", hidden: both}},
		{name: "by another package manager", files: map[string]string{asc: "", "node_modules/.modules.yaml": ""}},
		{name: "put there by hand where there is no npm", files: map[string]string{lock: locked, asc: ""}, noNPM: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder, bin := made(t, kit.Plan{Name: "a", Lang: kit.AssemblyScript}), t.TempDir()
			must.Succeed(t, os.Remove(filepath.Join(folder, lock)))
			put := func(dir, name, text string) {
				place := filepath.Join(dir, name)
				must.Succeed(t, os.MkdirAll(filepath.Dir(place), 0o700))
				must.Succeed(t, os.WriteFile(place, []byte(text), 0o700))
			}
			for name, text := range tt.files {
				put(folder, name, text)
			}
			asked := filepath.Join(bin, "asked")
			put(bin, "node", "#!/bin/sh\nexit 9\n")
			if !tt.noNPM {
				put(bin, "npm", "#!/bin/sh\necho $1 >> "+asked+"\n")
			}
			var said bytes.Buffer
			_, err := kit.Build(t.Context(), folder, kit.BuildOptions{Env: []string{"PATH=" + bin}, Note: func(m message.Message) { said.WriteString(i18n.English().Text(m)) }})
			if e := tool.AsError(err); e == nil || e.Code != "build_failed" { // the stand-in for node compiles nothing
				t.Fatalf("error is %v", err)
			}
			got, _ := os.ReadFile(asked) // not called
			if strings.TrimSpace(string(got)) != tt.asked {
				t.Errorf("npm was asked for %q, want %q", got, tt.asked)
			}
			if !strings.Contains(said.String(), tt.says) || tt.says == "" && said.Len() > 0 {
				t.Errorf("said %q, want %q in it", said.String(), tt.says)
			}
		})
	}
}
