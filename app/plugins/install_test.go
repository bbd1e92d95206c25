package plugins_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/app"
	"errand/app/config"
	"errand/app/grants"
	"errand/app/i18n"
	"errand/app/plugins"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
	"errand/host/wasm/install"
	"errand/policy"
)

// endless is a module of the Extism ABI whose function "go" never ends, and whose
// function "ok" does.
func endless(salt string) []byte {
	return []byte("\x00asm\x01\x00\x00\x00" +
		"\x01\x05\x01\x60\x00\x01\x7f" + // type () -> i32
		"\x03\x03\x02\x00\x00" + // two functions
		"\x07\x0b\x02\x02go\x00\x00\x02ok\x00\x01" + // exports
		"\x0a\x10\x02\x09\x00\x03\x40\x0c\x00\x0b\x41\x00\x0b\x04\x00\x41\x00\x0b" + // loop br 0 end i32.const 0; i32.const 0
		"\x00" + string(rune(2+len(salt))) + "\x01n" + salt)
}

// pluginFolderFor writes a plugin that can run for ever.
func pluginFolderFor(t *testing.T, id, version string, more ...string) string {
	t.Helper()
	dir := t.TempDir()
	text := fmt.Sprintf("schema = 1\nid = %q\nversion = %q\nmodule = \"m.wasm\"\nabi = \"extism\"\n%s\n", id, version, strings.Join(more, "\n"))
	for _, name := range []string{"go", "ok"} {
		text += fmt.Sprintf("[[tool]]\nname = \"%s.%s\"\nfunction = %q\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n", id, name, name)
	}
	must.Succeed(t, errors.Join(os.WriteFile(filepath.Join(dir, "plugin.toml"), []byte(text), 0o600), os.WriteFile(filepath.Join(dir, "m.wasm"), endless(version), 0o600)))
	return dir
}

func installed(t *testing.T, a *app.App, folder string) {
	t.Helper()
	p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: folder})
	must.Succeed(t, err)
	must.Succeed(t, a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true, Wider: true}))
}

// offered is a tool that a new run would have; nil: it would not.
func offered(t *testing.T, a *app.App, name string) tool.Tool {
	t.Helper()
	loaded, err := a.Plugins().Load()
	must.Succeed(t, err)
	for _, p := range loaded {
		for _, tl := range p.Tools() {
			if tl.Spec().Name == name {
				return tl
			}
		}
	}
	return nil
}

// lockStore is the store of installed plugins that the program uses.
func lockStore(a *app.App) *install.Store { return install.New(a.Config().Paths.Data, time.Now) }

func openIn(t *testing.T, home string) *app.App {
	t.Helper()
	a, err := app.Open(app.Options{Config: config.Options{Env: []string{"HOME=" + home}}})
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// TestInstallNeedsApproval: nothing is installed without an approval, and no more than the user
// approved.
func TestInstallNeedsApproval(t *testing.T) {
	a := openIn(t, t.TempDir())
	p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: pluginFolderFor(t, "tick", "1.0.0")})
	must.Succeed(t, err)
	if err := a.PluginInstaller().Install(t.Context(), p, plugins.Consent{}); tool.AsError(err).Code != plugins.CodeAsks {
		t.Errorf("without a yes: %v", err)
	}
	must.Succeed(t, a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true}))
	wider, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: pluginFolderFor(t, "tick", "1.1.0", `hosts = ["a.example"]`)})
	if err != nil || !wider.Widens {
		t.Fatalf("%+v (%v)", wider, err)
	}
	if err := a.PluginInstaller().Install(t.Context(), wider, plugins.Consent{Yes: true}); tool.AsError(err).Code != plugins.CodeWider {
		t.Errorf("more than before, with a plain yes: %v", err)
	}
	if list, err := a.Plugins().List(); err != nil || list[len(list)-1].Version != "1.0.0" {
		t.Errorf("installed is %+v (%v)", list, err)
	}
}

// TestUpdateThatDoesNotCompile: an update that can't be compiled is not offered, and the
// installed version stays.
func TestUpdateThatDoesNotCompile(t *testing.T) {
	a := openIn(t, t.TempDir())
	installed(t, a, pluginFolderFor(t, "tick", "1.0.0"))
	dir := pluginFolderFor(t, "tick", "1.1.0")
	broken := strings.Replace(string(endless("1.1.0")), "\x03\x40\x0c\x00", "\x03\x40\x0c\x09", 1) // a branch to nowhere
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "m.wasm"), []byte(broken), 0o600))
	if p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: dir}); err == nil || !strings.Contains(i18n.English().Error(err), "label 9") {
		t.Errorf("asks whether to install what can't run: %v, %v", p, err)
	}
	if tl := offered(t, a, "tick.ok"); tl == nil || tl.Spec().Version != "1.0.0" {
		t.Error("what worked is gone")
	}
}

// TestUpdateThatFailsToStart: an update that fails before its first call is not installed, and
// the installed version stays. A plugin that only lacks a setting is installed.
func TestUpdateThatFailsToStart(t *testing.T) {
	a := openIn(t, t.TempDir())
	installed(t, a, pluginFolderFor(t, "tick", "1.0.0"))
	endless := func(version, more string) string { // whose warm-up has no end
		dir := pluginFolderFor(t, "tick", version, "warmup = \"go\"\n[limits]\ntimeout_ms = 100\n"+more)
		file := filepath.Join(dir, "plugin.toml")
		b := must.ReadFile(t, file)
		head, tools, _ := strings.Cut(string(b), "[[tool]]")
		_, ok, _ := strings.Cut(tools, "[[tool]]")
		must.Succeed(t, os.WriteFile(file, []byte(head+"[[tool]]"+ok), 0o600))
		return dir
	}
	p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: endless("1.1.0", "")})
	must.Succeed(t, err)
	err = a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true, Wider: true})
	if e := tool.AsError(err); err == nil || e.Code != "deadline_exceeded" || !strings.Contains(i18n.English().Text(e.Message), "was not installed") || e.Hint.IsZero() {
		t.Errorf("a warm-up without an end: %+v", e)
	}
	if tl := offered(t, a, "tick.ok"); tl == nil || tl.Spec().Version != "1.0.0" {
		t.Error("what worked is gone")
	}
	installed(t, a, endless("1.2.0", "[config.key]\ntype = \"string\"\n"))
	if tl := offered(t, a, "tick.ok"); tl == nil || tl.Spec().Version != "1.2.0" {
		t.Error("what needs a setting first is not installed")
	}
}

// TestSwitchedOffWhileItRuns: its calls are ended, and it is gone for the next
// run, in this program and in another one that is open.
func TestSwitchedOffWhileItRuns(t *testing.T) {
	home := t.TempDir()
	a, window := openIn(t, home), openIn(t, home)
	installed(t, a, pluginFolderFor(t, "tick", "1.0.0"))
	for name, app := range map[string]*app.App{"this one": a, "the other one": window} {
		t.Run(name, func(t *testing.T) {
			must.Succeed(t, a.PluginInstaller().Enable(t.Context(), "tick", true))
			loop := offered(t, app, "tick.go")
			if loop == nil {
				t.Fatal("it does not see what was installed")
			}
			must.Succeed(t, loop.(tool.Preparer).Prepare(t.Context()))
			began, ended := make(chan struct{}), make(chan tool.Result, 1)
			go func() {
				close(began)
				r, _ := loop.Call(context.Background(), tool.Call{Tool: "tick.go"})
				ended <- r
			}()
			<-began
			must.Succeed(t, a.PluginInstaller().Enable(t.Context(), "tick", false))
			if offered(t, app, "tick.go") != nil { // as the next run asks
				t.Error("it is still there")
			}
			select {
			case r := <-ended:
				if r.Error == nil || r.Error.Code != "plugin_unloaded" {
					t.Errorf("the call ended as %+v", r.Error)
				}
			case <-time.After(poll.Patience):
				t.Fatal("the call goes on")
			}
		})
	}
}

// TestUpdateLeavesOthersAlone: only what changed is loaded anew.
func TestUpdateLeavesOthersAlone(t *testing.T) {
	a := openIn(t, t.TempDir())
	installed(t, a, pluginFolderFor(t, "tick", "1.0.0"))
	installed(t, a, pluginFolderFor(t, "tock", "1.0.0"))
	before, err := a.Plugins().Load()
	must.Succeed(t, err)
	tock := offered(t, a, "tock.ok")
	installed(t, a, pluginFolderFor(t, "tick", "2.0.0"))
	after, err := a.Plugins().Load()
	must.Succeed(t, err)
	for _, p := range before {
		kept := slices.ContainsFunc(after, func(other plugins.Plugin) bool { return other.Plugin == p.Plugin })
		if id := p.Manifest().ID; kept == (id == "tick") {
			t.Errorf("%s was kept: %v", id, kept)
		}
	}
	if r, err := tock.Call(t.Context(), tool.Call{Tool: "tock.ok"}); err != nil || r.Error != nil && r.Error.Code == "plugin_unloaded" {
		t.Errorf("a tool of another plugin: %+v (%v)", r.Error, err)
	}
	if v := offered(t, a, "tick.ok").Spec().Version; v != "2.0.0" {
		t.Errorf("the update has version %s", v)
	}
}

// TestCompiledCodeGoes: what was compiled of a plugin goes with it, when it is
// updated and when it is removed.
func TestCompiledCodeGoes(t *testing.T) {
	a := openIn(t, t.TempDir())
	kept := func() int {
		entries, err := os.ReadDir(a.Plugins().CacheDir())
		must.Succeed(t, err)
		return len(entries)
	}
	installed(t, a, pluginFolderFor(t, "tick", "1.0.0"))
	installed(t, a, pluginFolderFor(t, "tick", "2.0.0"))
	if n := kept(); n != 1 {
		t.Errorf("after the update the code of %d modules is kept", n)
	}
	if _, err := a.PluginInstaller().Uninstall(t.Context(), "tick"); err != nil {
		t.Fatal(err)
	}
	if n := kept(); n != 0 {
		t.Errorf("after the removal the code of %d modules is kept", n)
	}
}

// TestUpdateNamesThePlugin: of a source that is gone it is said whose it was, and
// a folder can be granted with an update.
func TestUpdateNamesThePlugin(t *testing.T) {
	a := openIn(t, t.TempDir())
	folder := pluginFolderFor(t, "tick", "1.0.0", "[[paths]]\nroot = \"inbox\"")
	installed(t, a, folder)
	ungranted := func() []string {
		list, err := a.Plugins().List()
		must.Succeed(t, err)
		return list[slices.IndexFunc(list, func(p plugins.Info) bool { return p.ID == "tick" })].Ungranted
	}
	if got := ungranted(); !slices.Equal(got, []string{"inbox:ro"}) {
		t.Errorf("not granted are %v", got)
	}
	p, err := a.PluginInstaller().ProposeUpdate(t.Context(), "tick", plugins.Update{Grants: map[string][]string{"inbox": {t.TempDir()}}})
	if err == nil {
		err = a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true, Wider: true})
	}
	if got := ungranted(); err != nil || len(got) > 0 {
		t.Errorf("after the grant %v is not granted (%v)", got, err)
	}
	must.Succeed(t, os.RemoveAll(folder))
	_, err = a.PluginInstaller().ProposeUpdate(t.Context(), "tick", plugins.Update{})
	if e := tool.AsError(err); err == nil || i18n.English().Text(e.Message) != "update tick: "+folder+" does not exist" || !strings.Contains(i18n.English().Text(e.Hint), "errand plugin remove tick") {
		t.Errorf("of a source that is gone it says %v", err)
	}
}

// TestRemovedWithItsGrants: the next plugin of the name begins with nothing.
func TestRemovedWithItsGrants(t *testing.T) {
	a := openIn(t, t.TempDir())
	installed(t, a, pluginFolderFor(t, "tick", "1.0.0", `hosts = ["a.example"]`))
	for _, id := range []string{"tick", "other"} {
		if _, err := a.Grants().Grant(t.Context(), grants.Request{Pattern: "a.example", Scope: policy.Always, Plugin: id}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.PluginInstaller().Uninstall(t.Context(), "tick"); err != nil {
		t.Fatal(err)
	}
	open, err := a.Grants().Grants(t.Context(), false)
	if err != nil || len(open) != 1 || open[0].Plugin != "other" {
		t.Errorf("still open is %+v (%v)", open, err)
	}
}

// TestReadersSeeOneOrTheOther: while one program updates a plugin over and over,
// another one has it whole at each look, and never none.
func TestReadersSeeOneOrTheOther(t *testing.T) {
	home := t.TempDir()
	writer, reader := openIn(t, home), openIn(t, home)
	folders := []string{pluginFolderFor(t, "tick", "1.0.0"), pluginFolderFor(t, "tick", "2.0.0")}
	installed(t, writer, folders[0])
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 40 {
			p, err := writer.PluginInstaller().Propose(context.Background(), plugins.Request{Source: folders[1-i%2]})
			if err == nil {
				err = writer.PluginInstaller().Install(context.Background(), p, plugins.Consent{Yes: true, Downgrade: true})
			}
			if err != nil {
				t.Errorf("update: %v", err)
				return
			}
		}
	}()
	seen := map[string]bool{}
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		tl := offered(t, reader, "tick.ok")
		if tl == nil {
			t.Fatal("the plugin is gone")
		}
		seen[tl.Spec().Version] = true
	}
	if len(seen) != 2 {
		t.Errorf("it saw %v alone", seen)
	}
}

// TestSpoiltPluginIsLeftOut: what can't be loaded costs its own tools and nothing
// else. It is told once, and is back as soon as it is mended.
func TestSpoiltPluginIsLeftOut(t *testing.T) {
	home := t.TempDir()
	own := filepath.Join(home, "own") // a folder of [plugins] dirs
	settings := filepath.Join(home, ".config", "errand", "errand.toml")
	must.Succeed(t, errors.Join(os.MkdirAll(own, 0o700), os.MkdirAll(filepath.Dir(settings), 0o700), os.WriteFile(settings, fmt.Appendf(nil, "[plugins]\ndirs = [%q]\n", own), 0o600)))
	a := openIn(t, home)
	byHand := filepath.Join(a.Config().Paths.Data, "plugins")
	for _, id := range []string{"tick", "tock"} {
		installed(t, a, pluginFolderFor(t, id, "1.0.0"))
	}
	place := func(folder, id string) { // one that a person puts into a folder of plugins
		t.Helper()
		must.Succeed(t, os.CopyFS(folder, os.DirFS(pluginFolderFor(t, id, "1.0.0"))))
	}
	spoil := func(name string, with string) (mend func()) {
		t.Helper()
		was, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, []byte(with), 0o600)
		}
		must.Succeed(t, err)
		return func() {
			must.Succeed(t, os.WriteFile(name, was, 0o600))
		}
	}
	of := func(id string) string {
		lock, err := lockStore(a).ReadLock()
		must.Succeed(t, err)
		return lockStore(a).Folder(*lock.Find(id))
	}
	place(filepath.Join(byHand, "tack"), "tack")
	enable(t, a, "tack")
	for _, tt := range []struct {
		name    string
		spoil   func() (mend func())
		without string // the tools that lack
		code    string
	}{
		{"an installed module", func() func() { return spoil(filepath.Join(of("tick"), "m.wasm"), "\x00asm") }, "tick.ok", "plugin_tampered"},
		{"an installed manifest", func() func() { return spoil(filepath.Join(of("tick"), "plugin.toml"), "id = 1") }, "tick.ok", "plugin_tampered"},
		{"the manifest of one put there", func() func() { return spoil(filepath.Join(byHand, "tack", "plugin.toml"), "id = 1") }, "tack.ok", "plugin_changed"},
		{"the module of one put there", func() func() { return spoil(filepath.Join(byHand, "tack", "m.wasm"), "none") }, "tack.ok", "plugin_changed"},
		{"one that is there twice", func() func() {
			place(filepath.Join(own, "other"), "tock")
			return func() { _ = os.RemoveAll(filepath.Join(own, "other")) }
		}, "", "plugin_twice"},
		{"the lock", func() func() { return spoil(filepath.Join(a.Config().Paths.Data, "plugins.lock"), "version = 0") }, "tick.ok tock.ok tack.ok", "bad_lock"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mend := tt.spoil()
			var told []string
			a, err := app.Open(app.Options{
				Config:  config.Options{Env: []string{"HOME=" + home}},
				LeftOut: func(why *tool.Error) { told = append(told, why.Code) },
			})
			must.Succeed(t, err)
			defer a.Close()
			for _, name := range []string{"tick.ok", "tock.ok", "tack.ok"} {
				if there := offered(t, a, name) != nil; there == strings.Contains(tt.without, name) {
					t.Errorf("%s is there: %t", name, there)
				}
			}
			if specs, err := a.Tools(t.Context()); err != nil || len(specs) < 30 {
				t.Errorf("the program has %d tools (%v)", len(specs), err)
			}
			if !slices.Equal(told, []string{tt.code}) {
				t.Errorf("told %q, want %s once", told, tt.code)
			}
			mend()
			for _, name := range strings.Fields(tt.without) {
				if offered(t, a, name) == nil {
					t.Errorf("it is mended, and %s not back", name)
				}
			}
		})
	}
}
