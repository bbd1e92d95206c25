package session

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"errand/planner/message"
	"errand/policy"
	"errand/policy/guard"
	"errand/policy/redact"
)

// RuleSecret denies a request that would send one of the program's own secrets to a
// host for which it is not meant.
const RuleSecret = "secret.bound"

// bindingTransport sends a request unless it carries a secret to where that isn't bound.
// It stands behind the host that puts secrets in their places, and sees every
// hop of a redirect.
type bindingTransport struct {
	sessions *Sessions
	next     http.RoundTripper
	note     func(guard.Connection)
	caller   policy.Request
}

// RoundTrip implements [http.RoundTripper].
func (t bindingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	b := t.sessions.o.Vault.Bindings()
	if err := t.refusal(r, b.CheckRequest(r.URL, r.Header)); err != nil {
		if r.Body != nil {
			r.Body.Close() // a RoundTripper always closes it
		}
		return nil, err
	}
	if r.Body != nil && r.Body != http.NoBody {
		body := r.Body
		r = r.Clone(r.Context())
		r.Body = boundBody{b.Reader(r.URL, body), body, func(err error) error { return t.refusal(r, err) }}
	}
	return t.next.RoundTrip(r)
}

// refusal is the denial of a request that carries a secret, noted as a
// connection that was stopped; any other error is itself.
func (t bindingTransport) refusal(r *http.Request, err error) error {
	var carried *redact.BindingError
	if !errors.As(err, &carried) {
		return err
	}
	d := policy.Decision{Rule: RuleSecret, Reason: message.FromError(carried)}
	port, err := strconv.Atoi(r.URL.Port())
	switch {
	case err == nil:
	case r.URL.Scheme == "http":
		port = 80
	default:
		port = 443
	}
	t.note(guard.Connection{
		Host: r.URL.Hostname(), Port: port, Method: r.Method, Tool: t.caller.Tool, Call: t.caller.Call,
		Verdict: d.Verdict, Rule: d.Rule, Reason: d.Reason,
	})
	return &guard.DeniedError{URL: r.URL.Scheme + "://" + r.URL.Host, Decision: d} // the rest may be the secret
}

// boundBody is a body that ends where a secret begins.
type boundBody struct {
	io.Reader
	io.Closer
	refusal func(error) error
}

func (b boundBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	return n, b.refusal(err)
}
