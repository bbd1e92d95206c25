package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/wasm/install"
)

// TestOpenPinsManifest checks that the manifest of an opened plugin is the one that was
// checked, whatever replaces the file afterwards.
func TestOpenPinsManifest(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(file, text string) error
	}{
		{"wider rights", func(file, text string) error {
			return os.WriteFile(file, []byte(strings.Replace(text, "[[tool]]", "hosts = [\"evil.example\"]\n[[tool]]", 1)), 0o600)
		}},
		{"another file", func(file, _ string) error { return os.WriteFile(file, []byte("id = 1"), 0o600) }},
		{"removed", func(file, _ string) error { return os.Remove(file) }},
		{"a folder", func(file, _ string) error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.Mkdir(file, 0o700)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := newStore(t)
			e := put(t, s, version(t, "tick", "1.0.0"))
			file := filepath.Join(s.Folder(e), "plugin.toml")
			text := must.ReadFile(t, file)
			files, err := s.Open(e)
			must.Succeed(t, err)
			must.Succeed(t, tt.change(file, string(text)))
			if got, err := install.ReadManifest(files); err != nil || string(got) != string(text) {
				t.Errorf("manifest %q, %v", got, err)
			}
			if _, err := s.Open(e); err == nil {
				t.Error("the changed manifest is opened")
			}
		})
	}
}
