package recipes

import (
	"os"
	"path/filepath"
	"testing"

	"errand/app/config"
	"errand/build/must"
)

// TestOwnRecipeOfRelativeConfig checks that the recipes beside a configuration file count as the
// user's own however the file is named, and no others do.
func TestOwnRecipeOfRelativeConfig(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	for _, folder := range []string{"cfg/recipes/sub", "other", "deep"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
	}
	for _, file := range []string{"cfg/recipes/a.toml", "cfg/recipes/sub/a.toml", "other/a.toml"} {
		must.Succeed(t, os.WriteFile(filepath.Join(home, file), nil, 0o600))
	}
	must.Succeed(t, os.Symlink(filepath.Join(home, "cfg"), filepath.Join(home, "link")))
	must.Succeed(t, os.Symlink(filepath.Join(home, "other", "a.toml"), filepath.Join(home, "cfg", "recipes", "linked.toml")))
	t.Chdir(filepath.Join(home, "deep"))
	for _, conf := range []string{filepath.Join(home, "cfg", "errand.toml"), "../cfg/errand.toml", "./../deep/../cfg/errand.toml", "../link/errand.toml", filepath.Join(home, "link", "errand.toml")} {
		l := &Library{Config: &config.Loaded{Paths: config.Paths{File: conf}}}
		for file, own := range map[string]bool{
			"../cfg/recipes/a.toml": true, filepath.Join(home, "cfg/recipes/a.toml"): true, "../link/recipes/a.toml": true,
			"../cfg/recipes/sub/a.toml": false, "../other/a.toml": false, "../cfg/recipes/linked.toml": false, "../cfg/recipes/missing.toml": false,
		} {
			if l.isOwn(file) != own {
				t.Errorf("configuration %s: %s is own: %t, want %t", conf, file, !own, own)
			}
		}
	}
}
