package wasm_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// TestReadToolsCannotWrite: a tool's class is what a person's rules go by, so
// what it says of itself is held, whatever the plugin's paths are.
func TestReadToolsCannotWrite(t *testing.T) {
	root := t.TempDir()
	manifest := strings.Replace(rogueManifest, `mode = "ro"`, `mode = "rw"`, 1)
	for _, class := range []string{"read", "write"} {
		effect := map[string]string{"read": "read", "write": "file"}[class]
		manifest += "[[tool]]\nname = \"rogue." + class + "\"\ndescription = \"d\"\nside_effect_class = \"" + class + "\"\neffect = \"" + effect + "\"\nargs_schema = '{\"type\":\"object\"}'\n"
	}
	h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
	p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "rogue.wasm": {Data: rogue(t)}})
	must.Succeed(t, err)
	for _, tl := range p.Tools() {
		spec := tl.Spec()
		file := filepath.Join(root, string(spec.SideEffectClass))
		// The rogue does what the call names, whichever tool it came by.
		r, err := tl.Call(t.Context(), tool.Call{Tool: "rogue.write", Args: map[string]any{"path": file}})
		if err != nil || !r.OK {
			t.Fatalf("%s: %+v, %v", spec.Name, r.Error, err)
		}
		_, err = os.Stat(file)
		wrote, may := err == nil, spec.SideEffectClass == tool.Write
		if wrote != may {
			t.Errorf("%s wrote a file: %v, want %v", spec.Name, wrote, may)
		}
		if readOnly := strings.HasPrefix(spec.Paths[0], "ro:"); readOnly == may {
			t.Errorf("%s says of its paths: %q", spec.Name, spec.Paths)
		}
	}
}

// TestReservedIDs: nobody else may bear a name that a person's patterns mean.
func TestReservedIDs(t *testing.T) {
	h := newHost(t, wasm.Options{Reserved: []string{"hash", "rogue"}})
	_, err := h.Load(fstest.MapFS{
		"plugin.toml": {Data: []byte(rogueManifest + "[[tool]]\nname = \"rogue.echo\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n")},
		"rogue.wasm":  {Data: rogue(t)},
	})
	wantError(t, err, tool.ValidationError, "reserved_id")
	if tool.AsError(err).Hint.IsZero() {
		t.Errorf("%q comes without a hint", err)
	}
}

// TestBadHostPattern: a pattern that means nothing is a slip and no refusal.
func TestBadHostPattern(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for _, pattern := range []string{"*.com", "a b", "", "a..b"} {
		_, err := h.Call(t.Context(), fixture(t, "hello.wasm"), "run_test", nil, wasm.CallOptions{AllowHosts: []string{"api.example.com", pattern}})
		wantError(t, err, tool.ValidationError, "bad_host_pattern")
	}
}

// TestCacheFolderFails: it is a convenience, and no call fails for it.
func TestCacheFolderFails(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(t *testing.T, dir string)
		warns bool
	}{
		{"it is gone", func(t *testing.T, dir string) {
			must.Succeed(t, os.RemoveAll(dir))
		}, true},
		{"what is in it is damaged", func(t *testing.T, dir string) {
			must.Succeed(t, filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				return os.WriteFile(name, []byte("WAZEVO garbage"), 0o600)
			}))
		}, false}, // it is made anew
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			first := newHost(t, wasm.Options{CacheDir: dir})
			if _, err := first.Call(t.Context(), fixture(t, "hello.wasm"), "run_test", nil, wasm.CallOptions{}); err != nil {
				t.Fatal(err)
			}
			var mu sync.Mutex
			var lines []string
			h := newHost(t, wasm.Options{CacheDir: dir, Log: func(_ context.Context, _, level string, line message.Message) {
				mu.Lock()
				defer mu.Unlock()
				lines = append(lines, level+": "+i18n.English().Text(line))
			}})
			// The folder is opened by the first call and fails by the next.
			if _, err := h.Call(t.Context(), fixture(t, "fail.wasm"), "run_test", nil, wasm.CallOptions{}); err != nil {
				t.Fatal(err)
			}
			tt.spoil(t, dir)
			for range 2 {
				out, err := h.Call(t.Context(), fixture(t, "hello.wasm"), "run_test", nil, wasm.CallOptions{})
				if err != nil || string(out.Data) != "Hello, world!" {
					t.Errorf("call: %q, %v", out.Data, err)
				}
			}
			said := slices.ContainsFunc(lines, func(l string) bool {
				return strings.HasPrefix(l, "warn: compiled plugins are not cached in "+dir)
			})
			if said != tt.warns {
				t.Errorf("said so: %v, want %v: %q", said, tt.warns, lines)
			}
		})
	}
}
