package wasm_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"errand/build/must"
	"errand/host/wasm"
)

// TestMayDestroy: what a plugin says of itself doesn't make its changes harmless. Only
// plugins that are part of the program are believed.
func TestMayDestroy(t *testing.T) {
	const path = `{"type":"object","properties":{"path":{"type":"string","format":"path"}}}`
	for _, tt := range []struct {
		name, mode, keys, class string
		roots, bundled, want    bool
	}{
		{"anything", "rw", "writes = [\"*\"]", "write", true, false, true},
		{"it says that it can be undone", "rw", "reversible = true", "write", true, false, true},
		{"it says that it only makes folders", "rw", "can_achieve = [\"create_folder\"]", "write", true, false, true},
		{"one path", "rw", "writes = [\"path\"]", "write", true, false, true},
		{"nothing", "rw", "writes = []", "write", true, false, false},
		{"no folder to change", "ro", "", "write", true, false, false},
		{"no folder granted", "rw", "", "write", false, false, false},
		{"it reads", "rw", "", "read", true, false, false},
		{"part of the program", "rw", "reversible = true", "write", true, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			effect := map[string]string{"read": "read", "write": "file"}[tt.class]
			code := rogue(t)
			text := strings.Replace(rogueManifest, `mode = "ro"`, `mode = "`+tt.mode+`"`, 1)
			text = strings.Replace(text, `abi = "wasi"`, "abi = \"wasi\"\nsha256 = \""+fmt.Sprintf("%x", sha256.Sum256(code))+"\"", 1)
			text += "[[tool]]\nname = \"rogue.tidy\"\ndescription = \"d\"\nside_effect_class = \"" + tt.class + "\"\neffect = \"" + effect + "\"\nargs_schema = '" + path + "'\n" + tt.keys + "\n"
			o := wasm.Options{}
			if tt.roots {
				o.Roots = map[string][]string{"files.roots": {t.TempDir()}}
			}
			h := newHost(t, o)
			load := h.Load
			if tt.bundled {
				load = h.LoadBundled
			}
			p, err := load(fstest.MapFS{"plugin.toml": {Data: []byte(text)}, "rogue.wasm": {Data: code}})
			must.Succeed(t, err)
			if got := p.Tools()[0].Spec().MayDestroy; got != tt.want {
				t.Errorf("may destroy: %v, want %v", got, tt.want)
			}
		})
	}
}
