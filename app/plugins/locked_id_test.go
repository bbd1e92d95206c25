package plugins_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"errand/app"
	"errand/app/plugins"
	"errand/build/must"
	"errand/host/tool"
)

// inboxFolder writes a plugin that asks for a folder of its own.
func inboxFolder(t *testing.T, version string) string {
	return pluginFolderFor(t, "inbox", version, "[[paths]]\nroot = \"mail\"\nmode = \"rw\"\n")
}

// openWithDirs opens a program whose plugins.dirs is ~/mine.
func openWithDirs(t *testing.T) (a *app.App, home string) {
	t.Helper()
	home = t.TempDir()
	file := filepath.Join(home, ".config", "errand", "errand.toml")
	must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.Mkdir(filepath.Join(home, "mine"), 0o700), os.WriteFile(file, []byte("[plugins]\ndirs = [\"~/mine\"]\n"), 0o600)))
	return openIn(t, home), home
}

// installGranted installs the plugin of [inboxFolder] with a folder.
func installGranted(t *testing.T, a *app.App, home string) {
	t.Helper()
	mail := filepath.Join(home, "Mail")
	must.Succeed(t, os.MkdirAll(mail, 0o700))
	p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: inboxFolder(t, "1.0.0"), Grants: map[string][]string{"mail": {mail}}})
	must.Succeed(t, err)
	must.Succeed(t, a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true}))
}

// TestSameIDAsInstalled checks that no other folder with the id of an installed plugin is
// loaded, so that its folders and settings stay its own, whatever happens to it.
func TestSameIDAsInstalled(t *testing.T) {
	installedFile := func(t *testing.T, a *app.App, name string) string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(a.Config().Paths.Data, "plugins", "inbox", "*", name))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		return found[0]
	}
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, a *app.App)
		state  plugins.State // of the installed one
	}{
		{"enabled", func(*testing.T, *app.App) {}, plugins.On},
		{"disabled", func(t *testing.T, a *app.App) {
			must.Succeed(t, a.PluginInstaller().Enable(t.Context(), "inbox", false))
		}, plugins.Off},
		{"its module changed", func(t *testing.T, a *app.App) {
			must.Succeed(t, os.WriteFile(installedFile(t, a, "m.wasm"), endless("evil"), 0o600))
		}, plugins.Refused},
		{"its manifest is gone", func(t *testing.T, a *app.App) {
			must.Succeed(t, os.Remove(installedFile(t, a, "plugin.toml")))
		}, plugins.Refused},
	} {
		for _, place := range []string{"in plugins.dirs", "agreed to before"} {
			t.Run(tt.name+", "+place, func(t *testing.T) {
				a, home := openWithDirs(t)
				if place == "agreed to before" {
					dropped := drop(t, a, "zzz", inboxFolder(t, "6.6.6"))
					enable(t, a, "zzz")
					must.Succeed(t, os.Rename(filepath.Join(dropped, "plugin.toml"), filepath.Join(dropped, "x")))
					installGranted(t, a, home)
					must.Succeed(t, os.Rename(filepath.Join(dropped, "x"), filepath.Join(dropped, "plugin.toml")))
				} else {
					installGranted(t, a, home)
					must.Succeed(t, os.CopyFS(filepath.Join(home, "mine", "other"), os.DirFS(inboxFolder(t, "6.6.6"))))
				}
				tt.change(t, a)
				for when, a := range map[string]*app.App{"this process": a, "the next process": openIn(t, home)} {
					loaded, err := a.Plugins().Load()
					must.Succeed(t, err)
					for _, p := range loaded {
						if m := p.Manifest(); m.ID == "inbox" && m.Version != "1.0.0" {
							t.Errorf("%s: version %s is loaded with the folders %v", when, m.Version, p.Tools()[0].Spec().Paths)
						}
					}
					list, err := a.Plugins().List()
					must.Succeed(t, err)
					states := map[bool][]plugins.State{} // by whether it is installed
					for _, info := range list {
						if info.ID == "inbox" || info.ID == "zzz" || info.ID == "other" {
							states[info.Source != ""] = append(states[info.Source != ""], info.State)
						}
					}
					if got := fmt.Sprint(states); got != fmt.Sprint(map[bool][]plugins.State{true: {tt.state}, false: {plugins.Refused}}) {
						t.Errorf("%s: states %v", when, got)
					}
				}
			})
		}
	}
}

// TestSameIDHidden checks that a plugin can't be installed beside a folder with its id, also
// if that folder's module can't be loaded.
func TestSameIDHidden(t *testing.T) {
	a, home := openWithDirs(t)
	for _, place := range []string{filepath.Join(home, "mine", "other"), filepath.Join(a.Config().Paths.Data, "plugins", "zzz")} {
		must.Succeed(t, os.CopyFS(place, os.DirFS(inboxFolder(t, "6.6.6"))))
		must.Succeed(t, os.Remove(filepath.Join(place, "m.wasm")))
		_, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: inboxFolder(t, "1.0.0")})
		if tool.AsError(err) == nil || tool.AsError(err).Code != "plugin_twice" {
			t.Errorf("%s: %v", place, err)
		}
		must.Succeed(t, os.RemoveAll(place))
	}
}

// TestListSaysWhatIsLoaded checks that the list and the program use the same one of several
// folders with one id.
func TestListSaysWhatIsLoaded(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(first string) error
		used   string // name of the folder
	}{
		{"two folders", func(string) error { return nil }, "a"},
		{"the first is damaged", func(first string) error { return os.WriteFile(first+"/m.wasm", []byte("x"), 0o600) }, "b"},
		{"the first has no module", func(first string) error { return os.Remove(first + "/m.wasm") }, "b"},
		{"the first is no plugin", func(first string) error { return os.WriteFile(first+"/plugin.toml", []byte("id = 1"), 0o600) }, "b"},
		{"the first is gone", os.RemoveAll, "b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, home := openWithDirs(t)
			for _, name := range []string{"a", "b"} {
				must.Succeed(t, os.CopyFS(filepath.Join(home, "mine", name), os.DirFS(pluginFolderFor(t, "same", "1.0.0"))))
			}
			must.Succeed(t, tt.change(filepath.Join(home, "mine", "a")))
			loaded, err := a.Plugins().Load()
			must.Succeed(t, err)
			var used []string
			for _, p := range loaded {
				if p.Manifest().ID == "same" {
					used = append(used, p.Tools()[0].Spec().Name)
				}
			}
			list, err := a.Plugins().List()
			must.Succeed(t, err)
			var on []string
			for _, info := range list {
				if info.ID == "same" && info.State == plugins.On {
					on = append(on, filepath.Base(info.From))
				}
			}
			if len(used) != 1 || !slices.Equal(on, []string{tt.used}) {
				t.Errorf("loaded %v, on %v", used, on)
			}
		})
	}
}

// TestDisableBesideNewFolder checks that disabling a plugin disables it, whatever somebody has
// put into a folder under its id.
func TestDisableBesideNewFolder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		id     string
		folder string // in the data folder
		inDirs bool
		setup  func(t *testing.T, a *app.App, home string)
		tool   string
	}{
		{"installed", "inbox", "zzz", false, installGranted, "inbox.ok"},
		{"installed, a folder that sorts before it", "inbox", "aaa", false, installGranted, "inbox.ok"},
		{"installed, a folder of plugins.dirs", "inbox", "zzz", true, installGranted, "inbox.ok"},
		{"part of the program", "hash", "zzz", false, func(*testing.T, *app.App, string) {}, "hash.md5"},
		{"part of the program, a folder of its name", "hash", "hash", false, func(*testing.T, *app.App, string) {}, "hash.md5"},
		{"in plugins.dirs", "inbox", "zzz", false, func(t *testing.T, _ *app.App, home string) {
			must.Succeed(t, os.CopyFS(filepath.Join(home, "mine", "inbox"), os.DirFS(inboxFolder(t, "1.0.0"))))
		}, "inbox.ok"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, home := openWithDirs(t)
			tt.setup(t, a, home)
			source := pluginFolderFor(t, tt.id, "6.6.6")
			if tt.inDirs {
				must.Succeed(t, os.CopyFS(filepath.Join(home, "mine", tt.folder), os.DirFS(source)))
			} else {
				drop(t, a, tt.folder, source)
			}
			if offered(t, a, tt.tool) == nil {
				t.Fatal("it is not on at first")
			}
			err := a.PluginInstaller().Enable(t.Context(), tt.id, false)
			isOff := offered(t, a, tt.tool) == nil && offered(t, openIn(t, home), tt.tool) == nil
			if isOff != (err == nil) {
				t.Errorf("off %t, error %v", isOff, err)
			}
			if tt.name != "in plugins.dirs" && !isOff {
				t.Errorf("it is on: %v", err)
			}
		})
	}
}
