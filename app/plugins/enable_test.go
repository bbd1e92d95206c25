package plugins_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app"
	"errand/app/config"
	"errand/app/plugins"
	"errand/build/must"
	"errand/host/tool"
)

// TestSwitchEveryPlugin checks that a plugin from any place can be disabled and enabled
// again, for this process and for the next one.
func TestSwitchEveryPlugin(t *testing.T) {
	const off = "[plugins.sample] # mine\nenabled = false # for now\n"
	for _, tt := range []struct {
		name   string
		id     string
		tool   string
		config string
		put    func(t *testing.T, home string, a *app.App)
		begin  plugins.State
		reset  plugins.State // after it was disabled
	}{
		{"part of the program", "text", "text.stats", "", nil, plugins.On, plugins.Off},
		{"with built-in tools", "files", "files.delete_file", "", nil, plugins.On, plugins.Off},
		{"disabled in the file", "hash", "hash.md5", "[plugins.hash]\nenabled = false\n", nil, plugins.Off, plugins.Off},
		{"a dotted key", "hash", "hash.md5", "plugins.hash.enabled = false\n", nil, plugins.Off, plugins.Off},
		{"an inline table", "hash", "hash.md5", "plugins.hash = {enabled = false}\n", nil, plugins.Off, plugins.Off},
		{"other settings of it", "json", "json.query", "[plugins.json]\ncompile_effort = 2\n", nil, plugins.On, plugins.Off},
		{"installed", "sample", "sample.ok", "", func(t *testing.T, _ string, a *app.App) {
			installed(t, a, pluginFolderFor(t, "sample", "1.0.0"))
		}, plugins.On, plugins.Off},
		{"installed and disabled in the file", "sample", "sample.ok", off, func(t *testing.T, _ string, a *app.App) {
			installed(t, a, pluginFolderFor(t, "sample", "1.0.0"))
		}, plugins.Off, plugins.Off},
		{"put into the data folder", "sample", "sample.ok", off, func(t *testing.T, _ string, a *app.App) {
			drop(t, a, "sample", pluginFolderFor(t, "sample", "1.0.0"))
			enable(t, a, "sample")
		}, plugins.Off, plugins.NewFolder},
		{"in a folder of plugins.dirs", "sample", "sample.ok", "[plugins]\ndirs = [\"~/mine\"]\n", func(t *testing.T, home string, _ *app.App) {
			must.Succeed(t, os.CopyFS(filepath.Join(home, "mine", "sample"), os.DirFS(pluginFolderFor(t, "sample", "1.0.0"))))
		}, plugins.On, plugins.Off},
		{"in a folder of another name", "sample", "sample.ok", "[plugins]\ndirs = [\"~/mine\"]\n" + off, func(t *testing.T, home string, _ *app.App) {
			must.Succeed(t, os.CopyFS(filepath.Join(home, "mine", "Folder 2"), os.DirFS(pluginFolderFor(t, "sample", "1.0.0"))))
		}, plugins.Off, plugins.Off},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(home, ".config", "errand", "errand.toml")
			must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o700))
			must.Succeed(t, os.Mkdir(filepath.Join(home, "mine"), 0o700))
			if tt.config != "" {
				must.Succeed(t, os.WriteFile(file, []byte(tt.config), 0o600))
			}
			a := openIn(t, home)
			if tt.put != nil {
				tt.put(t, home, a)
			}
			check := func(when string, want plugins.State) {
				t.Helper()
				for name, a := range map[string]*app.App{"this process": a, "the next process": openIn(t, home)} {
					if got := stateOf(t, a, tt.id).State; got != want {
						t.Errorf("%s, %s: state %s, want %s", when, name, got, want)
					}
					specs, err := a.Tools(t.Context())
					must.Succeed(t, err)
					if has := slices.ContainsFunc(specs, func(s tool.Spec) bool { return s.Name == tt.tool }); has != (want == plugins.On) {
						t.Errorf("%s, %s: has %s: %t", when, name, tt.tool, has)
					}
				}
			}
			turn := func(on bool) {
				t.Helper()
				if p, err := a.PluginInstaller().ProposeEnable(t.Context(), tt.id); err != nil {
					t.Fatal(err)
				} else if p != nil && on {
					enable(t, a, tt.id)
				}
				must.Succeed(t, a.PluginInstaller().Enable(t.Context(), tt.id, on))
			}
			check("at first", tt.begin)
			turn(true)
			check("enabled", plugins.On)
			turn(false)
			check("disabled", tt.reset)
			turn(false)
			check("disabled twice", tt.reset)
			turn(true)
			check("enabled again", plugins.On)
			if b, err := os.ReadFile(file); strings.Contains(tt.config, "# mine") && !strings.Contains(string(b), "# mine") {
				t.Errorf("the comments are gone: %s, %v", b, err)
			}
		})
	}
}

func TestEnableErrors(t *testing.T) {
	for _, tt := range []struct {
		name, id, config string
		env              []string
		on               bool
		code             string
	}{
		{"no such plugin", "nowhere", "", nil, true, "not_installed"},
		{"an environment variable disables it", "hash", "", []string{"ERRAND_PLUGINS_HASH_ENABLED=false"}, true, "switch_locked"},
		{"an environment variable enables it", "hash", "", []string{"ERRAND_PLUGINS_HASH_ENABLED=true"}, false, "switch_locked"},
		{"as the environment variable says", "hash", "", []string{"ERRAND_PLUGINS_HASH_ENABLED=false"}, false, ""},
		{"a file in a style that is not edited", "hash", "plugins = {dirs = []}\n", nil, false, "switch_not_saved"},
		{"a general key of [plugins]", "dirs", "", nil, false, "not_installed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(home, "errand.toml")
			must.Succeed(t, os.WriteFile(file, []byte(tt.config), 0o600))
			a, err := app.Open(app.Options{Config: config.Options{File: file, Env: append(tt.env, "HOME="+home)}})
			must.Succeed(t, err)
			defer a.Close()
			err = a.PluginInstaller().Enable(t.Context(), tt.id, tt.on)
			if got := tool.AsError(err); (got == nil) != (tt.code == "") || got != nil && got.Code != tt.code {
				t.Errorf("error %+v, want %q", got, tt.code)
			}
			if b, err := os.ReadFile(file); err != nil || string(b) != tt.config {
				t.Errorf("the file is now %q, %v", b, err)
			}
		})
	}
}
