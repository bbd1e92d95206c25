//go:build unix

package config

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
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
				must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
			}
			for _, link := range tt.links {
				at := filepath.Join(home, link[0])
				_ = os.Remove(at) // an empty folder
				must.Succeed(t, os.Symlink(filepath.Join(home, link[1]), at))
			}
			env := []string{
				"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/.config", "XDG_DATA_HOME=" + home + "/.local/share",
				"XDG_STATE_HOME=" + home + "/.local/state", "XDG_CACHE_HOME=" + home + "/.cache",
			}
			root := filepath.Join(home, tt.root)
			l, err := Fallback(Options{Env: env})
			must.Succeed(t, err)
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

// TestRelativeConfigurationIsOwn checks that a file named relative to the working directory is
// protected, and what is beside it.
func TestRelativeConfigurationIsOwn(t *testing.T) {
	home := t.TempDir()
	must.Succeed(t, os.MkdirAll(filepath.Join(home, "work", "sub"), 0o700))
	t.Chdir(filepath.Join(home, "work"))
	for _, tt := range []struct {
		file, root string
		want       bool
	}{
		{"errand.toml", "work", true},
		{"./errand.toml", "work", true},
		{"errand.toml", ".", true},
		{"errand.toml", "work/recipes", true},
		{"errand.toml", "work/sub", false},
		{"sub/errand.toml", "work/sub", true},
		{"../errand.toml", "work", false},
		{"../errand.toml", "recipes", true},
	} {
		for _, env := range [][]string{{"HOME=" + home}, {"HOME=" + home, "ERRAND_CONFIG=" + tt.file}} {
			o := Options{Env: env}
			if len(env) == 1 {
				o.File = tt.file
			}
			must.Succeed(t, os.WriteFile(tt.file, nil, 0o600))
			l, err := Load(o)
			must.Succeed(t, err)
			if err := l.Grantable(filepath.Join(home, tt.root)); (err != nil) != tt.want {
				t.Errorf("%s, %s: %v", tt.file, tt.root, err)
			}
			o.Env = append(env, "ERRAND_FILES_ROOTS="+filepath.Join(home, tt.root))
			if _, err = Load(o); (err != nil) != tt.want {
				t.Errorf("%s, root %s: %v", tt.file, tt.root, err)
			}
		}
	}
}

// TestRuntimeFolderIsOwn checks that no tool gets the folder of the window's socket. Other
// folders in it, such as network shares, can be granted.
func TestRuntimeFolderIsOwn(t *testing.T) {
	home, runtime := t.TempDir(), t.TempDir()
	l, err := Fallback(Options{Env: []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + runtime}})
	must.Succeed(t, err)
	for folder, want := range map[string]bool{runtime: true, filepath.Dir(runtime): true, filepath.Join(runtime, "gvfs"): false, filepath.Join(home, "Documents"): false} {
		if err := l.Grantable(folder); (err != nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

// TestNamedConfigurationIsOwn checks that the recipes beside a named file are protected, and
// other folders beside it are not.
func TestNamedConfigurationIsOwn(t *testing.T) {
	home := t.TempDir()
	l, err := Fallback(Options{File: filepath.Join(home, "errand.toml"), Env: []string{"HOME=" + home}})
	must.Succeed(t, err)
	for folder, want := range map[string]bool{"recipes": true, "Documents": false, ".": true, ".config/errand": true} {
		if err := l.Grantable(filepath.Join(home, folder)); (err != nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
