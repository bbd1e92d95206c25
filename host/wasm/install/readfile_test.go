package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/manifest"
)

// TestReadManifest checks that a manifest is read only from a regular file, and only up to the
// maximum size.
func TestReadManifest(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(path string) error
		want string // in the error
	}{
		{"a file", func(p string) error { return os.WriteFile(p, []byte("schema = 1"), 0o600) }, ""},
		{"a link to one", func(p string) error {
			return errors.Join(os.WriteFile(p+".real", nil, 0o600), os.Symlink(p+".real", p))
		}, ""},
		{"a folder", func(p string) error { return os.Mkdir(p, 0o700) }, "plugin.toml is not a file"},
		{"a device without an end", func(p string) error { return os.Symlink("/dev/zero", p) }, "plugin.toml is not a file"},
		{"too long", func(p string) error { return os.WriteFile(p, make([]byte, manifest.MaxSize+1), 0o600) }, "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			must.Succeed(t, c.make(filepath.Join(dir, manifest.File)))
			_, err := ReadManifest(os.DirFS(dir))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(i18n.English().Error(err), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, err := ReadManifest(os.DirFS(t.TempDir())); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of none: %v", err)
	}
}
