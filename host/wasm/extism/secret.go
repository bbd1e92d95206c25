package extism

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync"

	"errand/policy/redact"
)

// Secret is a value that a plugin may send and never sees. Its configuration
// holds a placeholder ([Placeholder]); the host puts the value in its place in
// the headers of requests to where the secret may go, and nowhere else.
type Secret struct {
	Value string
	May   func(u *url.URL) bool // whether it may be sent there; nil refuses
}

// Placeholder is what a plugin finds in its configuration for a secret.
func Placeholder(name string) string { return "{{secret:" + name + "}}" }

var placeholder = regexp.MustCompile(`\{\{secret:([A-Za-z0-9_-]+)\}\}`)

// reveal replaces the placeholders in a header's value and answers the names
// of the secrets that it now holds. Unknown ones stay as they are.
func (c *Call) reveal(value string) (string, []string) {
	var names []string
	value = placeholder.ReplaceAllStringFunc(value, func(match string) string {
		name := placeholder.FindStringSubmatch(match)[1]
		secret, ok := c.Secrets[name]
		if !ok {
			return match
		}
		names = append(names, name)
		return secret.Value
	})
	return value, names
}

// marking is the key of the marks that stand in the place of secrets: the same for
// every call, and nobody's else to know.
var marking = sync.OnceValue(func() []byte {
	key := make([]byte, 16)
	rand.Read(key) // never fails
	return key
})

// sent notes secrets that a request of the call carries: what is answered from then
// on may say them back.
func (c *Call) sent(names []string) {
	for _, name := range names {
		if value := c.Secrets[name].Value; !slices.Contains(c.told, value) {
			c.told, c.hide = append(c.told, value), nil
		}
	}
}

// hidden is what a server answered without the secrets that the call has sent, in
// whatever usual encoding it says them back. The marks in their place tell nothing
// of them.
func (c *Call) hidden(answer string) string {
	if len(c.told) == 0 {
		return answer
	}
	if c.hide == nil {
		c.hide = redact.New(c.told, redact.Exact(), redact.Keyed(marking()))
	}
	return c.hide.Text(answer)
}

// bound refuses to send the secrets to u where one of them may not go there,
// and answers a client that refuses it for each redirect as well.
func (c *Call) bound(client *http.Client, u *url.URL, names []string) *http.Client {
	check := func(u *url.URL) error {
		for _, name := range names {
			if may := c.Secrets[name].May; may == nil || !may(u) {
				return refused(u.Redacted(), "the secret "+name+" may not be sent there")
			}
		}
		return nil
	}
	if err := check(u); err != nil {
		panic(err)
	}
	next := *client
	next.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if err := check(req.URL); err != nil {
			return err
		}
		if client.CheckRedirect != nil {
			return client.CheckRedirect(req, via)
		}
		if len(via) >= 10 {
			return errors.New("stopped after 10 redirects")
		}
		return nil
	}
	return &next
}
