//go:build unix

package wasm_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// TestUsableFolders checks that a plugin sees nothing of a granted folder while it must not use
// it, also where the folder was replaced after a call, and sees it again later.
func TestUsableFolders(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(root, own string) error // after the first call
		swap   bool                         // while the folder is checked for the first call
		usable bool
	}{
		{"unchanged", func(string, string) error { return nil }, false, true},
		{"a link to a denied folder", func(root, own string) error {
			return errors.Join(os.RemoveAll(root), os.Symlink(own, root))
		}, false, false},
		{"a link to another folder", func(root, own string) error {
			return errors.Join(os.RemoveAll(root), os.Mkdir(own+"2", 0o700), os.Symlink(own+"2", root))
		}, false, true},
		{"another folder", func(root, _ string) error { return errors.Join(os.RemoveAll(root), os.Mkdir(root, 0o700)) }, false, true},
		{"replaced while it is checked", nil, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			root, own := filepath.Join(dir, "root"), filepath.Join(dir, "own")
			must.Succeed(t, errors.Join(os.Mkdir(root, 0o700), os.Mkdir(own, 0o700)))
			var swap atomic.Bool
			h := newHost(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}, Usable: func(folder string) error {
				if real, err := filepath.EvalSymlinks(folder); err != nil || real == own {
					return errors.New("denied")
				}
				if swap.Swap(false) {
					return errors.Join(os.Remove(root), os.Symlink(own, root))
				}
				return nil
			}})
			manifest := strings.Replace(rogueManifest, `mode = "ro"`, `mode = "rw"`, 1) +
				"[[tool]]\nname = \"rogue.write\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\nargs_schema = '{\"type\":\"object\"}'\n"
			p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "rogue.wasm": {Data: rogue(t)}})
			must.Succeed(t, err)
			write := func(name string) bool {
				r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "rogue.write", Args: map[string]any{"path": filepath.Join(root, name)}})
				must.Succeed(t, err)
				return r.OK
			}
			swap.Store(tt.swap)
			if tt.change != nil {
				if !write("before") {
					t.Fatal("the call before fails")
				}
				must.Succeed(t, tt.change(root, own))
			}
			write("after")
			if _, err := os.Stat(filepath.Join(root, "after")); (err == nil) != tt.usable {
				t.Errorf("file: %v", err)
			}
			must.Succeed(t, errors.Join(os.RemoveAll(root), os.Mkdir(root, 0o700)))
			write("again")
			if _, err := os.Stat(filepath.Join(root, "again")); err != nil {
				t.Errorf("a usable folder again: %v", err)
			}
		})
	}
}
