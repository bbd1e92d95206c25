package plugins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app"
	"errand/app/i18n"
	"errand/app/plugins"
	"errand/build/must"
	"errand/host/tool"
)

// TestSecretStaysSecret: a plugin gets no setting in clear that some version of it had as
// a secret, however the present version came here.
func TestSecretStaysSecret(t *testing.T) {
	const (
		none   = ""
		secret = "[config.token]\ntype = \"secret\"\nhosts = [\"a.example\"]"
		text   = "[config.token]\ntype = \"string\""
		other  = "[config.token]\ntype = \"string\"\n[config.key]\ntype = \"secret\"\nhosts = [\"a.example\"]"
	)
	update := func(t *testing.T, a *app.App, version, config string) {
		installed(t, a, pluginFolderFor(t, "tok", version, config))
	}
	remove := func(t *testing.T, a *app.App) {
		if _, err := a.PluginInstaller().Uninstall(t.Context(), "tok"); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name   string
		value  string // of token in errand.toml
		change func(t *testing.T, a *app.App)
		fault  string
	}{
		{"a secret", "S3cretToken", func(t *testing.T, a *app.App) { update(t, a, "1", secret) }, ""},
		{"a text", "hello", func(t *testing.T, a *app.App) { update(t, a, "1", text) }, ""},
		{"an update", "S3cretToken", func(t *testing.T, a *app.App) { update(t, a, "1", secret); update(t, a, "2", text) }, "was a secret"},
		{"an update to another secret", "S3cretToken", func(t *testing.T, a *app.App) { update(t, a, "1", secret); update(t, a, "2", other) }, "was a secret"},
		{"by a version without it", "S3cretToken", func(t *testing.T, a *app.App) {
			update(t, a, "1", secret)
			update(t, a, "2", none)
			update(t, a, "3", text)
		}, "was a secret"},
		{"installed again", "S3cretToken", func(t *testing.T, a *app.App) { update(t, a, "1", secret); remove(t, a); update(t, a, "2", text) }, "was a secret"},
		{"in a folder, after it was installed", "S3cretToken", func(t *testing.T, a *app.App) {
			update(t, a, "1", secret)
			remove(t, a)
			drop(t, a, "tok", pluginFolderFor(t, "tok", "2", text))
			enable(t, a, "tok")
		}, "was a secret"},
		{"installed, after it was in a folder", "S3cretToken", func(t *testing.T, a *app.App) {
			place := drop(t, a, "tok", pluginFolderFor(t, "tok", "1", secret))
			enable(t, a, "tok")
			must.Succeed(t, os.RemoveAll(place))
			update(t, a, "2", text)
		}, "was a secret"},
		{"without a value", "", func(t *testing.T, a *app.App) { update(t, a, "1", secret); update(t, a, "2", text) }, ""},
		{"a secret again", "S3cretToken", func(t *testing.T, a *app.App) {
			update(t, a, "1", secret)
			update(t, a, "2", text)
			update(t, a, "3", secret)
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(home, ".config", "errand", "errand.toml")
			must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o700))
			config := "[plugins.tok.config]\n"
			if tt.value != "" {
				config += "token = \"" + tt.value + "\"\n"
			}
			must.Succeed(t, os.WriteFile(file, []byte(config), 0o600))
			a := openIn(t, home)
			tt.change(t, a)
			r, err := offered(t, a, "tok.ok").Call(t.Context(), tool.Call{Tool: "tok.ok"})
			must.Succeed(t, err)
			fault := ""
			if r.Error != nil {
				fault = i18n.English().Error(r.Error)
			}
			if (tt.fault == "") != (r.Error == nil) || !strings.Contains(fault, tt.fault) {
				t.Errorf("the call ends with %q, want %q", fault, tt.fault)
			}
		})
	}
}

// TestSecretInClearAsks: an update that would read a secret needs consent to more.
func TestSecretInClearAsks(t *testing.T) {
	a := openIn(t, t.TempDir())
	installed(t, a, pluginFolderFor(t, "tok", "1", "[config.token]\ntype = \"secret\"\nhosts = [\"a.example\"]"))
	p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: pluginFolderFor(t, "tok", "2", "[config.token]\ntype = \"string\"")})
	must.Succeed(t, err)
	err = a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true})
	if e := tool.AsError(err); err == nil || !p.Widens || e.Code != plugins.CodeWider {
		t.Errorf("widens %v: %v", p.Widens, err)
	}
}
