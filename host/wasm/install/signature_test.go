package install_test

import (
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/install"
)

func key(t *testing.T) (public string, private minisign.PrivateKey) {
	t.Helper()
	pub, priv, err := minisign.GenerateKey(nil)
	must.Succeed(t, err)
	return pub.String(), priv
}

func TestSignatures(t *testing.T) {
	mine, private := key(t)
	_, stranger := key(t)
	wasm := module("a")
	pinned := "sha256 = \"" + digest(wasm) + "\"\n" + manifestOf("go", "1.0.0")
	loose := manifestOf("go", "1.0.0")
	sign := func(by minisign.PrivateKey, content string) string {
		return string(minisign.SignWithComments(by, []byte(content), "go 1.0.0", "not signed"))
	}
	tests := []struct {
		name     string
		manifest string
		sigs     map[string]string
		keys     []string
		require  bool
		fails    string // code
		note     string
	}{
		{"nothing", pinned, nil, nil, false, "", "not signed"},
		{"nothing, and it must be", pinned, nil, []string{mine}, true, "unsigned", ""},
		{"the manifest", pinned, map[string]string{"plugin.toml.minisig": sign(private, pinned)}, []string{mine}, true, "", "signed by key"},
		{"by its other name", pinned, map[string]string{"plugin.minisig": sign(private, pinned)}, []string{mine}, true, "", "signed by key"},
		{"both", pinned, map[string]string{"plugin.minisig": sign(private, pinned), "go.wasm.minisig": sign(private, string(wasm))}, []string{mine}, true, "", "signed by key"},
		{"nobody's key", pinned, map[string]string{"plugin.minisig": sign(private, pinned)}, nil, false, "", "which is not among your trusted keys"},
		{"nobody's key, and it must be", pinned, map[string]string{"plugin.minisig": sign(private, pinned)}, nil, true, "unsigned", ""},
		{"a stranger's", pinned, map[string]string{"plugin.minisig": sign(stranger, pinned)}, []string{mine}, true, "unsigned", ""},
		{"a manifest that was changed", pinned + "\n", map[string]string{"plugin.minisig": sign(private, pinned)}, []string{mine}, false, "bad_signature", ""},
		{"a module that was changed", pinned, map[string]string{"plugin.minisig": sign(private, pinned), "go.wasm.minisig": sign(private, "other")}, []string{mine}, false, "bad_signature", ""},
		{"a text", pinned, map[string]string{"plugin.minisig": "signed, honestly"}, []string{mine}, false, "bad_signature", ""},
		{"the module alone", pinned, map[string]string{"go.wasm.minisig": sign(private, string(wasm))}, []string{mine}, false, "", "signs only a part of it"},
		{"the module alone, and it must be all", pinned, map[string]string{"go.wasm.minisig": sign(private, string(wasm))}, []string{mine}, true, "unsigned", ""},
		{"a manifest that pins nothing", loose, map[string]string{"plugin.minisig": sign(private, loose)}, []string{mine}, true, "unsigned", ""},
		{"no key", pinned, nil, []string{"RWhello"}, false, "bad_key", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"plugin.toml": tt.manifest, "go.wasm": string(wasm)}
			for name, text := range tt.sigs {
				files[name] = text
			}
			b := bundle(t, files)
			s, err := b.Verify(install.Trust{Keys: tt.keys, Require: tt.require})
			if tt.fails != "" {
				if code(err) != tt.fails || tool.AsError(err).Hint.IsZero() {
					t.Errorf("error is %v, want %s with a hint", err, tt.fails)
				}
				return
			}
			whole := strings.HasPrefix(tt.note, "signed by key") && !strings.Contains(tt.note, "not")
			if err != nil || !strings.Contains(i18n.English().Text(s.Note), tt.note) || (s.Signer != "") != whole || whole && s.Comment != "go 1.0.0" {
				t.Errorf("%+v, %v; want %s", s, err, tt.note)
			}
		})
	}
}

// TestMinisignSignatures checks signatures of the minisign program, in its current format and
// in its old one. The fixtures were made with
//
//	minisign -G -W; minisign -Sm message [-l] -t "…"
func TestMinisignSignatures(t *testing.T) {
	read := func(name string) []byte {
		return must.ReadFile(t, filepath.Join("testdata", "minisign", name))
	}
	pub, err := install.ParseKey(string(read("key.pub")))
	must.Succeed(t, err)
	for _, name := range []string{"message.minisig", "legacy.minisig"} {
		if !minisign.Verify(pub, read("message"), read(name)) || minisign.Verify(pub, []byte("other"), read(name)) {
			t.Errorf("%s is not verified", name)
		}
		comment := strings.Replace(string(read(name)), "\ntrusted comment: ", "\ntrusted comment: more than ", 1)
		if minisign.Verify(pub, read("message"), []byte(comment)) {
			t.Errorf("%s is verified with another trusted comment", name)
		}
	}
}

// TestChangedSigner checks that the user must approve another signer, and an update without a
// signature.
func TestChangedSigner(t *testing.T) {
	mine, private := key(t)
	other, stranger := key(t)
	s, _ := newStore(t)
	signed := func(version string, by *minisign.PrivateKey) install.Proposal {
		wasm := module(version)
		text := "sha256 = \"" + digest(wasm) + "\"\n" + manifestOf("go", version)
		files := map[string]string{"plugin.toml": text, "go.wasm": string(wasm)}
		if by != nil {
			files["plugin.minisig"] = string(minisign.Sign(*by, []byte(text)))
		}
		b := bundle(t, files)
		signature, err := b.Verify(install.Trust{Keys: []string{mine, other}})
		must.Succeed(t, err)
		p, err := s.Propose(b, signature, nil)
		must.Succeed(t, err)
		return p
	}
	if _, err := s.Install(t.Context(), signed("1.0.0", &private)); err != nil {
		t.Fatal(err)
	}
	if e := find(t, s, "go"); e.Signer == "" || e.SignerKey != mine {
		t.Errorf("the lock doesn't say who signed: %+v", e)
	}
	if p := signed("1.1.0", &private); p.WidensRights() {
		t.Errorf("the same signer: %+v", p.Changes)
	}
	if p := signed("1.1.0", &stranger); !p.WidensRights() || p.Changes[0].Text.Code != "install.signed_by_other" {
		t.Errorf("another signer: %+v", p.Changes)
	}
	if p := signed("1.1.0", nil); !p.WidensRights() || p.Changes[0].Text.Code != "install.no_longer_signed" {
		t.Errorf("no signer: %+v", p.Changes)
	}
}
