package extism

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"errand/planner/message"
	"errand/policy/redact"
)

// Secret is a value that a plugin may send and never sees. Its configuration
// contains a [Placeholder]. The host replaces that with the value in the headers
// of requests to the secret's permitted URLs only.
type Secret struct {
	Value string
	May   func(u *url.URL) bool // whether it may be sent to u; nil refuses
}

// Placeholder returns the value of a secret in the plugin's configuration.
func Placeholder(name string) string { return "{{secret:" + name + "}}" }

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{secret:([A-Za-z0-9_-]+)\}\}`) })

// reveal replaces the placeholders in a header's value and returns the names of
// the inserted secrets. It keeps unknown placeholders.
func (c *Call) reveal(value string) (string, []string) {
	var names []string
	value = placeholder().ReplaceAllStringFunc(value, func(match string) string {
		name := placeholder().FindStringSubmatch(match)[1]
		secret, ok := c.Secrets[name]
		if !ok {
			return match
		}
		names = append(names, name)
		return secret.Value
	})
	return value, names
}

// markKey is the random key of the marks that replace secrets. It is the same for
// all calls and never leaves the process.
var markKey = sync.OnceValue(func() []byte {
	key := make([]byte, 16)
	rand.Read(key) // never fails
	return key
})

// hidesSecrets reports whether answers of servers may contain secrets: those of the plugin,
// which any call may have sent, or those of other plugins.
func (c *Call) hidesSecrets() bool { return len(c.Secrets) > 0 || len(c.OtherSecrets) > 0 }

// hideSecrets replaces secrets in a server's answer, in any common encoding. The marks reveal
// nothing about them.
func (c *Call) hideSecrets(answer string) string {
	if !c.hidesSecrets() {
		return answer
	}
	if c.hide == nil {
		var values []string
		for _, s := range c.Secrets {
			values = append(values, s.Value)
		}
		for _, s := range c.OtherSecrets {
			values = append(values, s.Value)
		}
		slices.Sort(values)
		c.hide = redact.New(slices.Compact(values), redact.OnlyGiven(), redact.WithKey(markKey()))
	}
	return c.hide.Text(answer)
}

// mayKnowSecret reports whether a server may have got a secret, so that its answers have to be
// read whole: pieces of a secret are not found.
func (c *Call) mayKnowSecret(u *url.URL) bool {
	return len(c.Secrets) > 0 || slices.ContainsFunc(c.OtherSecrets, func(s Secret) bool { return s.May != nil && s.May(u) })
}

// checkAnswer refuses an answer in which secrets would not be found: a part of a text, or one
// that is still encoded.
func (c *Call) checkAnswer(resp *http.Response) {
	if !c.hidesSecrets() {
		return
	}
	u := resp.Request.URL
	encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	switch {
	case encoding != "" && encoding != "identity":
		panic(refusedError(u.Redacted(), message.New("plugin.answer_encoded", "encoding", encoding)))
	case resp.StatusCode == http.StatusPartialContent && c.mayKnowSecret(u):
		panic(refusedError(u.Redacted(), message.New("plugin.answer_partial")).WithHint(message.New("plugin.ask_for_whole")))
	}
}

// checkSecretURL refuses to send a secret to a URL where it must not go. It returns a
// client that checks each redirect as well.
func (c *Call) checkSecretURL(client *http.Client, u *url.URL, names []string) *http.Client {
	check := func(u *url.URL) error {
		for _, name := range names {
			if may := c.Secrets[name].May; may == nil || !may(u) {
				return refusedError(u.Redacted(), message.New("plugin.secret_not_for_host", "name", name))
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
			return message.Error("plugin.too_many_redirects", "limit", 10)
		}
		return nil
	}
	return &next
}
