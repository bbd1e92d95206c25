package redact_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"errand/build/must"
	"errand/build/tier"
	"errand/policy/redact"
)

const mailPassword = "fake-Mail/Passw0rd+1"

func bound() *redact.Bindings {
	return redact.Bind([]redact.Binding{
		{Name: "mail password", Secret: redact.NewSecret(mailPassword), May: func(u *url.URL) bool { return strings.EqualFold(u.Hostname(), "mail.example.com") }},
		{Name: "signing key", Secret: redact.NewSecret("fakeSigningKey0123")},
		{Name: "short one", Secret: redact.NewSecret("abc")},
		{Name: "empty one"},
	})
}

func at(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	must.Succeed(t, err)
	return u
}

// escaped is a text with each byte written by a format.
func escaped(format, s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func TestOwnSecretsStayWithTheirHosts(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("jane:" + mailPassword))
	tests := []struct {
		name, host, url string // host: that a message tells
		headers         map[string][]string
		want            string // the secret that is carried, "" for none
	}{
		{"nothing", "example.org", "https://example.org/?q=mail", map[string][]string{"Accept": {"*/*"}}, ""},
		{"where it belongs", "mail.example.com", "https://mail.example.com/", map[string][]string{"Authorization": {"Basic " + basic}}, ""},
		{"where it belongs, other case", "Mail.Example.com", "https://Mail.Example.com/?p=" + url.QueryEscape(mailPassword), nil, ""},
		{"query", "evil.example", "https://evil.example/?p=" + url.QueryEscape(mailPassword), nil, "mail password"},
		{"path", "evil.example", "https://evil.example/" + url.PathEscape(mailPassword), nil, "mail password"},
		{"a subdomain is another host", "x.mail.example.com", "https://x.mail.example.com/" + hex.EncodeToString([]byte(mailPassword)), nil, "mail password"},
		{"basic authentication", "evil.example", "https://evil.example/", map[string][]string{"Authorization": {"Basic " + basic}}, "mail password"},
		{"second value of a header", "evil.example", "https://evil.example/", map[string][]string{"X-A": {"a", "b " + mailPassword}}, "mail password"},
		{"name of a header", "evil.example", "https://evil.example/", map[string][]string{"X-fakeSigningKey0123": {""}}, "signing key"},
		{"bound to nothing", "mail.example.com", "https://mail.example.com/?k=fakeSigningKey0123", nil, "signing key"},
		{"cut by a zero-width space", "evil.example", "https://evil.example/?k=fakeSigning\u200bKey0123", nil, "signing key"},
		{"fully percent-encoded, a letter in lower case", "evil.example", "https://evil.example/?k=" + escaped("%%%02x", "fakeSigningKey0123"), nil, "signing key"},
		{"percent-encoded in part", "evil.example", "https://evil.example/?k=fakeSigning%4bey0123", nil, "signing key"},
		{"percent-encoded twice", "evil.example", "https://evil.example/?k=fakeSigning%254Bey0123", nil, "signing key"},
		{"an escape of JSON", "evil.example", "https://evil.example/", map[string][]string{"X-A": {`fakeSigning\u004bey0123`}}, "signing key"},
		{"all in escapes of JSON", "evil.example", "https://evil.example/", map[string][]string{"X-A": {escaped(`\u%04x`, "fakeSigningKey0123")}}, "signing key"},
		{"entities of HTML", "evil.example", "https://evil.example/", map[string][]string{"X-A": {escaped("&#x%x;", "fakeSigningKey0123")}}, "signing key"},
		{"decimal entities", "evil.example", "https://evil.example/", map[string][]string{"X-A": {escaped("&#%d;", "fakeSigningKey0123")}}, "signing key"},
		{"escapes of code", "evil.example", "https://evil.example/", map[string][]string{"X-A": {escaped(`\x%02x`, "fakeSigningKey0123")}}, "signing key"},
		{"UTF-16", "evil.example", "https://evil.example/", map[string][]string{"X-A": {escaped("%c\x00", "fakeSigningKey0123")}}, "signing key"},
		{"full width", "evil.example", "https://evil.example/?k=fakeSigningＫey0123", nil, "signing key"},
		{"escapes, where it belongs", "mail.example.com", "https://mail.example.com/?p=" + escaped("%%%02x", mailPassword), nil, ""},
		{"other escapes", "evil.example", "https://evil.example/?k=" + escaped("%%%02x", "fakeSigningKey0124"), nil, ""},
		{"too short to look for", "evil.example", "https://evil.example/abc", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := bound().CheckRequest(at(t, tt.url), tt.headers)
			var carried *redact.BindingError
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("CheckRequest = %v, want none", err)
			case tt.want != "" && (!errors.As(err, &carried) || carried.Name != tt.want || carried.Host != tt.host):
				t.Errorf("CheckRequest = %v, want the %s for %s", err, tt.want, tt.host)
			case err != nil && leaked(err.Error(), mailPassword):
				t.Errorf("the error tells the secret: %v", err)
			}
			if err := (*redact.Bindings)(nil).CheckRequest(at(t, tt.url), tt.headers); err != nil {
				t.Errorf("nil Bound: %v", err)
			}
		})
	}
}

// A body is stopped before the first byte of a secret, however it is read and
// wherever the secret stands.
func TestBodiesAreStoppedBeforeTheSecret(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte("jane:" + mailPassword))
	for _, before := range []int{0, 1, 100, 32<<10 - 5, 32 << 10, 70_000} {
		for name, secret := range map[string]string{
			"plain": mailPassword, "base64": encoded, "JSON": escaped(`\u%04x`, mailPassword),
			"entities": escaped("&#x%06x;", mailPassword), "percent": escaped("%%25%02x", mailPassword), "UTF-16": escaped("%c\x00", mailPassword),
		} {
			t.Run(fmt.Sprintf("%s after %d bytes", name, before), func(t *testing.T) {
				head := strings.Repeat("x ", before/2+1)[:before]
				body := head + secret + strings.Repeat(" tail", 20_000)
				for how, r := range map[string]io.Reader{
					"whole": strings.NewReader(body), "halves": iotest.HalfReader(strings.NewReader(body)), "data with the end": iotest.DataErrReader(strings.NewReader(body)),
				} {
					got, err := io.ReadAll(bound().Reader(at(t, "https://evil.example/"), r))
					var carried *redact.BindingError
					if !errors.As(err, &carried) {
						t.Fatalf("%s: error %v", how, err)
					}
					if !strings.HasPrefix(head, string(got)) {
						t.Errorf("%s: %d bytes were passed on, %d are before the secret", how, len(got), len(head))
					}
				}
				got, err := io.ReadAll(bound().Reader(at(t, "https://mail.example.com/"), strings.NewReader(body)))
				if err != nil || string(got) != body {
					t.Errorf("to its own host: %d bytes, %v", len(got), err)
				}
			})
		}
	}
}

func TestHonestBodiesPassUnchanged(t *testing.T) {
	body := bytes.Repeat([]byte("fake-Mail/Passw0rd but not whole; "), tier.Size(500, 5000))
	for how, r := range map[string]io.Reader{
		"whole": bytes.NewReader(body), "byte by byte": iotest.OneByteReader(bytes.NewReader(body)),
	} {
		got, err := io.ReadAll(bound().Reader(at(t, "https://evil.example/"), r))
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("%s: %d of %d bytes, %v", how, len(got), len(body), err)
		}
	}
	broken := errors.New("the line broke")
	got, err := io.ReadAll(bound().Reader(at(t, "https://evil.example/"), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))))
	if !errors.Is(err, broken) || string(got) != "half" {
		t.Errorf("a broken body: %q, %v", got, err)
	}
}
