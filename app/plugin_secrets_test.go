package app

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/config"
	"errand/app/grants"
	"errand/app/session"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

const word = "plain-looking-word"

// withSecret is a program with a plugin that keeps a word for one host.
func withSecret(t *testing.T, host string, o Options) *App {
	t.Helper()
	home := t.TempDir()
	folder := filepath.Join(home, "plugins", "vault")
	must.Succeed(t, os.MkdirAll(folder, 0o755))
	// A module of one function, open, that answers 0. It is never called.
	for name, text := range map[string]string{
		"vault.wasm": "\x00asm\x01\x00\x00\x00" + "\x01\x05\x01\x60\x00\x01\x7f" + "\x03\x02\x01\x00" +
			"\x07\x08\x01\x04open\x00\x00" + "\x0a\x06\x01\x04\x00\x41\x00\x0b",
		"plugin.toml": `schema = 1
id = "vault"
version = "1.0.0"
description = "keeps a secret"
module = "vault.wasm"
abi = "extism"
[config.word]
type = "secret"
hosts = ["HOST"]
[[tool]]
name = "vault.open"
function = "open"
description = "opens"
side_effect_class = "read"
effect = "read"
args_schema = '{"type":"object"}'
`,
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(folder, name), []byte(strings.ReplaceAll(text, "HOST", host)), 0o600))
	}
	file := filepath.Join(home, "errand.toml")
	must.Succeed(t, os.WriteFile(file, []byte("[plugins]\ndirs = [\""+filepath.Dir(folder)+"\"]\n[plugins.vault.config]\nword = \""+word+"\"\n"), 0o600))
	o.Config = config.Options{File: file}
	a, _ := opened(t, o)
	if _, err := a.Tools(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestPluginSecretsStayOutOfTheRecord: a value that the person gave to a plugin
// as a secret has no shape, and is known by value.
func TestPluginSecretsStayOutOfTheRecord(t *testing.T) {
	a := withSecret(t, "example.org", Options{})
	if got := a.vault.Cleaner().Text("the word is " + word); strings.Contains(got, word) {
		t.Errorf("cleaned text is %q", got)
	}
}

// TestSecretsOfOtherPlugins: answers of servers show no plugin the secrets of another one.
func TestSecretsOfOtherPlugins(t *testing.T) {
	a := withSecret(t, "example.org", Options{})
	other := a.plugins.Secrets.Others("other")
	if len(other) != 1 || other[0].Value != word {
		t.Fatalf("another plugin's: %d", len(other))
	}
	for address, want := range map[string]bool{"https://example.org/a": true, "https://other.example/": false} {
		u, err := url.Parse(address)
		must.Succeed(t, err)
		if got := other[0].May(u); got != want {
			t.Errorf("may go to %s: %t", address, got)
		}
	}
	if own := a.plugins.Secrets.Others("vault"); len(own) != 0 {
		t.Errorf("its own count: %d", len(own))
	}
}

// TestSecretHosts: no plugin sends a secret to a host that it is
// not for, in whatever part of a request and in whatever encoding, though it may
// reach that host. It is stopped before the first byte, and on record.
func TestSecretHosts(t *testing.T) {
	const own, other = "http://youtube.com", "http://github.com"
	a := withSecret(t, own, Options{Demo: true})
	for _, host := range []string{own, other} {
		grant(t, a, grants.Request{Pattern: host, Scope: policy.Always})
	}
	var stopped []string
	_, err := a.sessions.New("r1", plan.UserGoal, func(n trace.Note) {
		if c := n.(trace.ConnectionNote); c.Verdict == "deny" {
			stopped = append(stopped, c.Kind()+" "+c.Host+" "+c.Rule+" "+c.Step)
		}
	})
	must.Succeed(t, err)
	g, err := a.guard()
	must.Succeed(t, err)
	client := a.sessions.PluginClient(g, "other.tool", []string{"http://*"})
	encoded := base64.StdEncoding.EncodeToString([]byte("ann:" + word))
	for _, tt := range []struct {
		name, url, header, body string
		stopped                 bool
	}{
		{"nothing secret", other + "/?q=words", "", "words", false},
		{"where it is for", own + "/?q=" + word, word, word, false},
		{"in the URL", other + "/?q=" + word, "", "", true},
		{"in a header", other + "/", "Basic " + encoded, "", true},
		{"in the URL, in hex", other + "/" + hex.EncodeToString([]byte(word)), "", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stopped = nil
			ctx := tool.WithCaller(t.Context(), tool.Caller{Tool: "other.tool", RunID: "r1", ActionID: "a1", Origin: string(plan.UserGoal)})
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, tt.url, strings.NewReader(tt.body))
			must.Succeed(t, err)
			r.Header.Set("Authorization", tt.header)
			resp, err := client.Transport.RoundTrip(r)
			if err == nil {
				resp.Body.Close()
			}
			var denied *guard.DeniedError
			switch {
			case (err != nil) != tt.stopped:
				t.Errorf("error %v, stopped %t wanted", err, tt.stopped)
			case err == nil:
			case !errors.As(err, &denied) || denied.Decision.Rule != session.RuleSecret || strings.Contains(denied.Error(), word):
				t.Errorf("%v", err)
			}
			if want := "connection github.com:80 " + session.RuleSecret + " a1"; tt.stopped && !slices.Contains(stopped, want) {
				t.Errorf("on record: %q, want %q", stopped, want)
			}
		})
	}
}
