//go:build unix

package recipes

import (
	"os"
	"path/filepath"
	"testing"

	"errand/app/config"
	"errand/build/must"
)

// TestRecipeOfOthers checks that a recipe that other users can write does not count as the
// user's own words.
func TestRecipeOfOthers(t *testing.T) {
	const text = "version = 1\nname = \"a\"\n"
	for _, tt := range []struct {
		name                 string
		file, folder, config os.FileMode
		want                 bool // refused for its mode
	}{
		{"private", 0o600, 0o700, 0o700, false},
		{"others read", 0o644, 0o755, 0o755, false},
		{"others write", 0o602, 0o700, 0o700, true},
		{"everybody writes", 0o666, 0o700, 0o700, true},
		{"others write in the folder", 0o600, 0o757, 0o700, true},
		{"everybody writes in the folder", 0o600, 0o777, 0o700, true},
		{"everybody writes above the folder", 0o600, 0o700, 0o777, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "errand")
			folder := filepath.Join(above, "recipes")
			file := filepath.Join(folder, "a.toml")
			must.Succeed(t, os.MkdirAll(folder, 0o700))
			l := &Library{Config: &config.Loaded{Paths: config.Paths{File: filepath.Join(above, "errand.toml")}}}
			for _, err := range []error{os.WriteFile(file, []byte(text), 0o600), os.Chmod(file, tt.file), os.Chmod(folder, tt.folder), os.Chmod(above, tt.config)} {
				must.Succeed(t, err)
			}
			for _, ref := range []string{"a", file} {
				_, err := l.readFile(ref)
				if (err != nil) != tt.want {
					t.Errorf("%s: %v", ref, err)
				}
			}
		})
	}
}
