package redact_test

import (
	"net/url"
	"strings"
	"testing"

	"errand/policy/redact"
)

// TestOwnSecretsInQuotes checks that a secret with single quotes is found in the notation of
// shells, YAML and SQL, and that a request to another host can't contain it in parts.
func TestOwnSecretsInQuotes(t *testing.T) {
	const secret = "it's-O'Reilly"
	r := redact.New([]string{secret})
	bound := redact.Bind([]redact.Binding{{Name: "key", Plugin: "p", Secret: redact.NewSecret(secret)}})
	for name, text := range map[string]string{
		"shell":                 `curl -u 'it'\''s-O'\''Reilly' x`,
		"shell, other quotes":   `curl -u 'it'"'"'s-O'"'"'Reilly' x`,
		"shell, without quotes": `curl -u it\'s-O\'Reilly x`,
		"shell, in parts":       "curl -u \"it's-\\\nO'Reilly\" x",
		"YAML and SQL":          `key: 'it''s-O''Reilly'`,
		"Python":                `key = 'it\'s-O\'Reilly'`,
		"mail":                  "The key is it's-=\r\nO'Reilly.",
	} {
		if got := r.Text(text); !strings.Contains(got, "[redacted:own:") || strings.Contains(got, "Reilly") {
			t.Errorf("%s: %q becomes %q", name, text, got)
		}
		if bound.Check(&url.URL{Scheme: "https", Host: "x.example"}, text) == nil {
			t.Errorf("%s: %q may be sent", name, text)
		}
	}
}
