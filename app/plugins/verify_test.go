package plugins_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/host/wasm/install"
)

// TestVerifyWhatCantRun: what is byte for byte what was installed, and can't be run
// by this version of the program, is told so, by the words that a call has for it.
func TestVerifyWhatCantRun(t *testing.T) {
	for name, tt := range map[string]struct{ module, code string }{
		"an import that is no longer offered": {
			"\x00asm\x01\x00\x00\x00\x01\x05\x01\x60\x00\x01\x7f\x02\x09\x01\x03lib\x01f\x00\x00\x03\x02\x01\x00\x07\x06\x01\x02go\x00\x01\x0a\x06\x01\x04\x00\x41\x00\x0b", "missing_imports",
		},
		"a feature that is no longer taken": {
			"\x00asm\x01\x00\x00\x00\x01\x05\x01\x60\x00\x01\x7f\x03\x02\x01\x00\x05\x04\x01\x03\x01\x01\x07\x06\x01\x02go\x00\x00\x0a\x06\x01\x04\x00\x41\x00\x0b", "unsupported_module",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, folder := openIn(t, t.TempDir()), t.TempDir()
			manifest := "schema = 1\nid = \"old\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n" +
				"[[tool]]\nname = \"old\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
			must.Succeed(t, errors.Join(os.WriteFile(filepath.Join(folder, "plugin.toml"), []byte(manifest), 0o600), os.WriteFile(filepath.Join(folder, "m.wasm"), []byte(tt.module), 0o600)))
			// As a version did that took it.
			bundle, err := install.Read(t.Context(), install.Origin{Place: folder})
			must.Succeed(t, err)
			p, err := lockStore(a).Propose(bundle, install.Signature{}, nil)
			must.Succeed(t, err)
			if _, err := lockStore(a).Install(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			list, err := a.Plugins().Verify(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			if v := list[0]; v.OK || !v.IsIntact || v.Problem == nil || v.Problem.Code != tt.code || v.Problem.Hint.IsZero() {
				t.Errorf("%+v, want %s", v, tt.code)
			}
		})
	}
}
