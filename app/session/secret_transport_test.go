package session

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"errand/app/config"
	"errand/build/must"
	"errand/policy"
	"errand/policy/guard"
	"errand/policy/redact"
)

// reading is a server that reads all of what it is sent before it answers.
type reading struct{ got *strings.Builder }

func (t reading) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close()
	if _, err := io.Copy(t.got, r.Body); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
}

const word = "plain-looking-word"

// TestABodyEndsWhereASecretBegins: what came before it may have been sent, and
// nothing of it.
func TestABodyEndsWhereASecretBegins(t *testing.T) {
	ss := newSessions(t, config.Options{})
	ss.o.Vault.Bind(redact.Bind([]redact.Binding{{
		Name: "word", Plugin: "vault", Secret: redact.NewSecret(word), May: policy.NewURLFilter([]string{"https://api.example.org"}),
	}}), []string{word})
	for url, sent := range map[string]bool{"https://api.example.org/": true, "https://api.example.com/": false, "http://api.example.org:8080/": false} {
		var got strings.Builder
		var noted []guard.Connection
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(strings.Repeat("x", 100_000)+word+"y"))
		must.Succeed(t, err)
		_, err = bindingTransport{ss, reading{&got}, func(c guard.Connection) { noted = append(noted, c) }, policy.Request{}}.RoundTrip(r)
		var denied *guard.DeniedError
		if (err == nil) != sent || err != nil && !errors.As(err, &denied) || (len(noted) == 0) != sent {
			t.Errorf("%s: %v, noted %+v", url, err, noted)
		}
		if want, _ := strconv.Atoi(r.URL.Port()); want != 0 && noted[0].Port != want {
			t.Errorf("%s: the record has port %d", url, noted[0].Port)
		}
		if all := strings.HasSuffix(got.String(), word+"y"); all != sent || strings.Contains(got.String(), word[:4]) != sent {
			t.Errorf("%s: %d bytes were sent, all: %t", url, got.Len(), all)
		}
	}
}
