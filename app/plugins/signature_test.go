package plugins_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"errand/app/plugins"
	"errand/build/must"
)

// TestUpdateKeepsGivenKey checks that a key that was given for one plugin counts for its
// updates, so that an unsigned update or one of another key widens its rights.
func TestUpdateKeepsGivenKey(t *testing.T) {
	public, private, err := minisign.GenerateKey(nil)
	must.Succeed(t, err)
	_, other, err := minisign.GenerateKey(nil)
	must.Succeed(t, err)
	for _, tt := range []struct {
		name  string
		sign  *minisign.PrivateKey // of the second update; nil: it is not signed
		wider bool
	}{
		{"by the same key", &private, false},
		{"by another key", &other, true},
		{"not signed", nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, folder := openIn(t, t.TempDir()), signedFolder(t, private)
			p, err := a.PluginInstaller().Propose(t.Context(), plugins.Request{Source: folder, Keys: []string{public.String()}})
			must.Succeed(t, err)
			must.Succeed(t, a.PluginInstaller().Install(t.Context(), p, plugins.Consent{Yes: true}))
			name := filepath.Join(folder, "plugin.toml")
			update := func(was, is string, key *minisign.PrivateKey) *plugins.Proposal {
				t.Helper()
				text, err := os.ReadFile(name)
				must.Succeed(t, err)
				text = []byte(strings.Replace(string(text), was, is, 1))
				err = errors.Join(os.WriteFile(name, text, 0o600), os.Remove(name+".minisig"))
				if key != nil {
					err = errors.Join(err, os.WriteFile(name+".minisig", minisign.Sign(*key, text), 0o600))
				}
				must.Succeed(t, err)
				p, err := a.PluginInstaller().ProposeUpdate(t.Context(), "tick", plugins.Update{})
				must.Succeed(t, err)
				return p
			}
			first := update(`"1.0.0"`, `"1.1.0"`, &private)
			if first.Widens || first.Signature.Key != public.String() {
				t.Fatalf("an update by the same key: %+v", first)
			}
			must.Succeed(t, a.PluginInstaller().Install(t.Context(), first, plugins.Consent{Yes: true}))
			if second := update(`"1.1.0"`, `"1.2.0"`, tt.sign); second.Widens != tt.wider {
				t.Errorf("the next one: %+v", second)
			}
		})
	}
}

// TestRequiredSignature checks that a required signature is verified when a plugin is loaded,
// whatever the lock file says.
func TestRequiredSignature(t *testing.T) {
	public, private, err := minisign.GenerateKey(nil)
	must.Succeed(t, err)
	const require = "\nrequire_signature = true"
	trusted := "trusted_keys = [\"" + public.String() + "\"]"
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, files string) // the installed plugin's folder
		loads  bool
	}{
		{"signed", func(*testing.T, string) {}, true},
		{"its signature is removed", func(t *testing.T, files string) {
			must.Succeed(t, os.Remove(filepath.Join(files, "plugin.toml.minisig")))
		}, false},
		{"a signature of another text", func(t *testing.T, files string) {
			must.Succeed(t, os.WriteFile(filepath.Join(files, "plugin.toml.minisig"), minisign.Sign(private, []byte("other")), 0o600))
		}, false},
		{"a signature of another key", func(t *testing.T, files string) {
			_, other, err := minisign.GenerateKey(nil)
			must.Succeed(t, err)
			text, err := os.ReadFile(filepath.Join(files, "plugin.toml"))
			must.Succeed(t, errors.Join(err, os.WriteFile(filepath.Join(files, "plugin.toml.minisig"), minisign.Sign(other, text), 0o600)))
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			a := withKeys(t, home, trusted)
			installed(t, a, signedFolder(t, private))
			e, err := lockStore(a).ReadLock()
			must.Succeed(t, err)
			tt.change(t, lockStore(a).Folder(e.Plugins[0]))
			again := withKeys(t, home, trusted+require)
			if loads := offered(t, again, "tick.ok") != nil; loads != tt.loads {
				t.Errorf("it loads: %t", loads)
			}
			if on := stateOf(t, again, "tick").State == plugins.On; on != tt.loads {
				t.Errorf("it is listed as on: %t", on)
			}
		})
	}
}
