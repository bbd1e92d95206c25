package plugins_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"errand/app"
	"errand/app/config"
	"errand/app/plugins"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/inspect"
)

// drop puts a plugin into the plugins folder of the data folder, as anybody who can
// write there can.
func drop(t *testing.T, a *app.App, name, source string) string {
	t.Helper()
	place := filepath.Join(a.Config().Paths.Data, "plugins", name)
	must.Succeed(t, os.CopyFS(place, os.DirFS(source)))
	return place
}

// enable agrees to what a dropped plugin may do.
func enable(t *testing.T, a *app.App, id string) {
	t.Helper()
	p, err := a.PluginInstaller().ProposeEnable(t.Context(), id)
	if err != nil || p == nil {
		t.Fatalf("proposal for %s: %+v, %v", id, p, err)
	}
	must.Succeed(t, a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true}))
}

func stateOf(t *testing.T, a *app.App, id string) plugins.Info {
	t.Helper()
	list, err := a.Plugins().List()
	must.Succeed(t, err)
	for _, p := range list {
		if p.ID == id {
			return p
		}
	}
	return plugins.Info{}
}

// TestDroppedPlugin checks that a folder that appears in the data folder offers no
// tool before the user agrees to it, and none after its files change.
func TestDroppedPlugin(t *testing.T) {
	write := func(t *testing.T, name, content string) {
		t.Helper()
		must.Succeed(t, os.WriteFile(name, []byte(content), 0o600))
	}
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, place string) // after the user agreed
		state  plugins.State
	}{
		{"unchanged", func(*testing.T, string) {}, plugins.On},
		{"the module", func(t *testing.T, place string) { write(t, filepath.Join(place, "m.wasm"), string(endless("other"))) }, plugins.ChangedFolder},
		{"a module that does not load", func(t *testing.T, place string) { write(t, filepath.Join(place, "m.wasm"), "none") }, plugins.ChangedFolder},
		{"the manifest asks for a host", func(t *testing.T, place string) {
			text := must.ReadFile(t, filepath.Join(place, "plugin.toml"))
			write(t, filepath.Join(place, "plugin.toml"), strings.Replace(string(text), "[[tool]]", "hosts = [\"evil.example\"]\n[[tool]]", 1))
		}, plugins.ChangedFolder},
		{"a manifest that can't be read", func(t *testing.T, place string) { write(t, filepath.Join(place, "plugin.toml"), "id = 1") }, plugins.ChangedFolder},
		{"the folder is another link", func(t *testing.T, place string) {
			other := pluginFolderFor(t, "tack", "2.0.0")
			must.Succeed(t, errors.Join(os.RemoveAll(place), os.Symlink(other, place)))
		}, plugins.ChangedFolder},
		{"moved to another name", func(t *testing.T, place string) {
			must.Succeed(t, os.Rename(place, filepath.Join(filepath.Dir(place), "moved")))
		}, plugins.NewFolder},
		{"the module goes", func(t *testing.T, place string) {
			must.Succeed(t, os.Remove(filepath.Join(place, "m.wasm")))
		}, plugins.ChangedFolder},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			a := openIn(t, home)
			place := drop(t, a, "tack", pluginFolderFor(t, "tack", "1.0.0"))
			info := stateOf(t, a, "tack")
			if offered(t, a, "tack.ok") != nil || info.State != plugins.NewFolder || info.Problem == nil || info.Problem.Hint.IsZero() || len(info.Tools) != 2 {
				t.Fatalf("before consent: %+v", info)
			}
			if err := a.PluginInstaller().Enable(t.Context(), "tack", true); tool.AsError(err) == nil {
				t.Error("it is enabled without a look at what it may do")
			}
			enable(t, a, "tack")
			if offered(t, a, "tack.ok") == nil || stateOf(t, a, "tack").State != plugins.On {
				t.Fatal("the user agreed, and its tools are missing")
			}
			tt.change(t, place)
			again := openIn(t, home)
			id := "tack"
			if stateOf(t, again, id).ID == "" { // its manifest can't be read under another name
				id = filepath.Base(place)
			}
			if got := stateOf(t, again, id); got.State != tt.state || (offered(t, again, "tack.ok") != nil) != (tt.state == plugins.On) {
				t.Errorf("after the change: %+v", got)
			}
			if tt.state == plugins.ChangedFolder && tt.name == "the module" {
				enable(t, again, "tack")
				if offered(t, again, "tack.ok") == nil {
					t.Error("the user agreed again, and its tools are missing")
				}
			}
			if err := again.PluginInstaller().Enable(t.Context(), id, false); err != nil || offered(t, again, "tack.ok") != nil {
				t.Errorf("after disabling it: %v", err)
			}
		})
	}
}

// TestDroppedAsksFirst checks that consent is the user's: nothing else enables a
// dropped plugin, and consent is for what was shown.
func TestDroppedAsksFirst(t *testing.T) {
	a := openIn(t, t.TempDir())
	place := drop(t, a, "tack", pluginFolderFor(t, "tack", "1.0.0"))
	p, err := a.PluginInstaller().ProposeEnable(t.Context(), "tack")
	if err != nil || p == nil || !p.InPlace {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := a.PluginInstaller().Install(t.Context(), p, plugins.Consent{}); tool.AsError(err).Code != plugins.CodeAsks {
		t.Errorf("without a yes: %v", err)
	}
	if err := os.WriteFile(filepath.Join(place, "m.wasm"), endless("swapped"), 0o600); err != nil { // while the user reads
		t.Fatal(err)
	}
	must.Succeed(t, a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true}))
	if offered(t, a, "tack.ok") != nil || stateOf(t, a, "tack").State != plugins.ChangedFolder {
		t.Error("a module that was not shown is loaded")
	}
	for _, id := range []string{"hash", "none"} { // bundled, and not there
		if p, err := a.PluginInstaller().ProposeEnable(t.Context(), id); p != nil || err != nil {
			t.Errorf("%s: %+v, %v", id, p, err)
		}
	}
	if _, err := a.Plugins().FindCallable("tack"); err == nil {
		if found, err := a.Plugins().Find("tack"); err == nil {
			h, err := a.Plugins().Host()
			must.Succeed(t, err)
			if _, err := a.Plugins().LoadInto(h, found); tool.AsError(err).Code != "plugin_changed" {
				t.Errorf("a call by id loads it: %v", err)
			}
		}
	}
}

// withKeys is the program with trusted keys in its configuration.
func withKeys(t *testing.T, home string, settings string) *app.App {
	t.Helper()
	file := filepath.Join(home, "errand.toml")
	must.Succeed(t, os.WriteFile(file, []byte("[plugins]\n"+settings+"\n"), 0o600))
	a, err := app.Open(app.Options{Config: config.Options{File: file, Env: []string{"HOME=" + home}}})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// signedFolder is a plugin whose manifest is signed.
func signedFolder(t *testing.T, private minisign.PrivateKey) string {
	t.Helper()
	folder := pluginFolderFor(t, "tick", "1.0.0")
	i, err := inspect.Read(endless("1.0.0"))
	must.Succeed(t, err)
	name := filepath.Join(folder, "plugin.toml")
	text := must.ReadFile(t, name)
	text = append([]byte("sha256 = \""+i.SHA256+"\"\n"), text...)
	must.Succeed(t, errors.Join(os.WriteFile(name, text, 0o600), os.WriteFile(name+".minisig", minisign.Sign(private, text), 0o600)))
	return folder
}

// TestKeyNoLongerTrusted checks that a plugin stops when the key that signed it is
// taken out of the configuration.
func TestKeyNoLongerTrusted(t *testing.T) {
	public, private, err := minisign.GenerateKey(nil)
	must.Succeed(t, err)
	other, _, err := minisign.GenerateKey(nil)
	must.Succeed(t, err)
	trusts := func(keys ...string) string { return "trusted_keys = [\"" + strings.Join(keys, "\", \"") + "\"]" }
	mine := trusts(public.String())
	for _, tt := range []struct {
		name          string
		before, after string
		given         string // --key at the installation
		loads         bool
	}{
		{"still trusted", mine, mine, "", true},
		{"written as a whole file", mine, "trusted_keys = [\"untrusted comment: key\\n" + public.String() + "\\n\"]", "", true},
		{"beside another", mine, trusts(other.String(), public.String()), "", true},
		{"removed", mine, "", "", false},
		{"another in its place", mine, trusts(other.String()), "", false},
		{"removed, and signatures are required", mine, "require_signature = true", "", false},
		{"given for this plugin alone", "", "", public.String(), true},
		{"given, and trusted too", mine, "", public.String(), false},
		{"never trusted: installed as unsigned", "", "", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			a := withKeys(t, home, tt.before)
			r := plugins.Request{Source: signedFolder(t, private)}
			if tt.given != "" {
				r.Keys = []string{tt.given}
			}
			p, err := a.PluginInstaller().Propose(t.Context(), r)
			must.Succeed(t, err)
			must.Succeed(t, a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true}))
			again := withKeys(t, home, tt.after)
			if loads := offered(t, again, "tick.ok") != nil; loads != tt.loads {
				t.Errorf("it loads: %t", loads)
			}
			list, err := again.Plugins().Verify(t.Context(), "tick")
			if err != nil || list[0].OK != tt.loads || !tt.loads && list[0].Problem.Hint.IsZero() {
				t.Errorf("verify: %+v, %v", list, err)
			}
			if info := stateOf(t, again, "tick"); (info.State == plugins.On) != tt.loads {
				t.Errorf("listed as %+v", info)
			}
		})
	}
}

// TestDowngrade checks that an older version needs consent of its own, whatever else
// the user agrees to.
func TestDowngrade(t *testing.T) {
	for _, tt := range []struct{ was, is, more string }{
		{"2.0.0", "1.9.9", ""},
		{"2.0.0", "2.0.0-rc.1", ""},
		{"2.0.0-rc.10", "2.0.0-rc.9", ""},
		{"2.0.0-rc.1", "2.0.0-1", ""},
		{"99999999999999999999.1", "99999999999999999999.0.9", ""},
		{"2.0.0", "1.0.0", `hosts = ["a.example"]`},
		{"v2", "1.99", ""},
	} {
		t.Run(tt.was+" to "+tt.is, func(t *testing.T) {
			a := openIn(t, t.TempDir())
			installed(t, a, pluginFolderFor(t, "tick", tt.was))
			p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: pluginFolderFor(t, "tick", tt.is, tt.more)})
			if err != nil || !p.Downgrade {
				t.Fatalf("%+v, %v", p, err)
			}
			if err := a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true, Wider: true}); tool.AsError(err).Code != plugins.CodeDowngrade {
				t.Errorf("without consent to the older version: %v", err)
			}
			if err := a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true, Wider: tt.more != "", Downgrade: true}); err != nil {
				t.Errorf("with it: %v", err)
			}
		})
	}
}
