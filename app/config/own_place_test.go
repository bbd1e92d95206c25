//go:build unix

package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwnPlaces checks that no tool gets a folder that contains Errand's own files or lies in
// them, also through links, as [files] roots and as the grant of a plugin.
func TestOwnPlaces(t *testing.T) {
	const config, data, state = ".config/errand", ".local/share/errand", ".local/state/errand"
	for _, tt := range []struct {
		name  string
		links [][2]string // a link and its target in the home folder
		root  string
		want  bool // refused
	}{
		{"documents", nil, "Documents", false},
		{"the recipes", nil, config + "/recipes", true},
		{"a folder in the recipes", nil, config + "/recipes/a", true},
		{"the configuration's folder", nil, config, true},
		{"another folder in it", nil, config + "/notes", true},
		{"the folder above", nil, ".config", true},
		{"a folder beside it", nil, ".config/other", false},
		{"a name that begins like it", nil, ".config/errand2", false},
		{"what terminals showed", nil, state + "/seen", true},
		{"the state", nil, state, true},
		{"the plugins", nil, data + "/plugins", true},
		{"the cache", nil, ".cache/errand/browser", true},
		{"where linked recipes are", [][2]string{{config + "/recipes", "Documents/dot/recipes"}}, "Documents/dot/recipes", true},
		{"above linked recipes", [][2]string{{config + "/recipes", "Documents/dot/recipes"}}, "Documents", true},
		{"beside linked recipes", [][2]string{{config + "/recipes", "Documents/dot/recipes"}}, "Documents/other", false},
		{"a link to the recipes", [][2]string{{"Documents/r", config + "/recipes"}}, "Documents/r", true},
		{"where linked plugins are", [][2]string{{data + "/plugins", "src/plugins"}}, "src/plugins", true},
		{"where a linked configuration is", [][2]string{{config, "dot/errand"}}, "dot/errand/recipes", true},
		{"a link on the way to recipes", [][2]string{{config + "/recipes", "Documents/link"}, {"Documents/link", "far/recipes"}}, "Documents", true},
		{"where two links lead", [][2]string{{config + "/recipes", "Documents/link"}, {"Documents/link", "far/recipes"}}, "far", true},
		{"a link to nowhere", [][2]string{{config + "/recipes", "Documents/later"}}, "Documents", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			for _, folder := range []string{config, data, state, ".cache/errand", "Documents", "far/recipes"} {
				if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, link := range tt.links {
				at := filepath.Join(home, link[0])
				_ = os.Remove(at) // an empty folder
				if err := os.Symlink(filepath.Join(home, link[1]), at); err != nil {
					t.Fatal(err)
				}
			}
			env := []string{
				"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/.config", "XDG_DATA_HOME=" + home + "/.local/share",
				"XDG_STATE_HOME=" + home + "/.local/state", "XDG_CACHE_HOME=" + home + "/.cache",
			}
			root := filepath.Join(home, tt.root)
			l, err := Fallback(Options{Env: env})
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Grantable(root); (err != nil) != tt.want {
				t.Errorf("grant: %v", err)
			}
			_, err = Load(Options{Env: append(env, "ERRAND_FILES_ROOTS="+root)})
			if (err != nil) != tt.want {
				t.Errorf("root: %v", err)
			}
		})
	}
}

// TestNamedConfigurationIsOwn checks that the recipes beside a named file are protected, and
// other folders beside it are not.
func TestNamedConfigurationIsOwn(t *testing.T) {
	home := t.TempDir()
	l, err := Fallback(Options{File: filepath.Join(home, "errand.toml"), Env: []string{"HOME=" + home}})
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]bool{"recipes": true, "Documents": false, ".": true, ".config/errand": true} {
		if err := l.Grantable(filepath.Join(home, folder)); (err != nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
