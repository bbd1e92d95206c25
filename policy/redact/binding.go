package redact

import (
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"errand/planner/message"
	"errand/policy/redact/find"
)

// Binding limits one of the program's own secrets to certain hosts.
type Binding struct {
	Name   string // the name of the secret, a key of the plugin's config
	Plugin string // the id of the plugin
	Secret Secret
	// May reports whether the secret may be sent to a URL. If it is nil, the secret may
	// not be sent anywhere.
	May func(*url.URL) bool
}

// Bindings knows where each of the program's own secrets may be sent. It finds a secret
// in a request to any other host, in any encoding, so that a plugin can't pass on the
// program's keys. A nil Bindings finds nothing. It is safe for concurrent use.
type Bindings struct {
	m        *find.Matcher // nil: no secrets
	bindings []Binding
	of       []int // for each literal of m, its binding
	bare     *bareMatcher
	bareOf   []int // for each secret of bare, its binding
}

// Bind makes Bindings. It ignores secrets shorter than [MinSecret].
func Bind(bindings []Binding) *Bindings {
	b := &Bindings{bindings: bindings}
	var literals, secrets []string
	for i, binding := range bindings {
		if secret := binding.Secret.Reveal(); len(secret) >= MinSecret {
			for _, enc := range encodings(secret) {
				literals = append(literals, enc)
				b.of = append(b.of, i)
			}
			secrets = append(secrets, secret)
			b.bareOf = append(b.bareOf, i)
		}
	}
	if len(literals) > 0 {
		b.m = find.NewMatcher(literals, false)
		b.bare = newBareMatcher(secrets, false)
	}
	return b
}

// BindingError is the error for sending a secret to a host that it is not bound to.
type BindingError struct {
	Name, Plugin string // of the secret, as in [Binding]
	Host         string
}

func (e *BindingError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *BindingError) AsMessage() message.Message {
	return message.New("network.secret_for_other_host", "name", e.Name, "plugin", e.Plugin, "host", e.Host)
}

// Check searches a part of a request to u for secrets: its URL, the name or value of a
// header, or its body. The error is a [*BindingError].
func (b *Bindings) Check(u *url.URL, part string) error {
	if b == nil || b.m == nil {
		return nil
	}
	var found error
	check := func(binding Binding) {
		if found == nil && (binding.May == nil || !binding.May(u)) {
			found = &BindingError{binding.Name, binding.Plugin, u.Hostname()}
		}
	}
	look := func(s string) {
		b.m.ForEach(s, func(_, lit int) { check(b.bindings[b.of[lit]]) })
		b.bare.forEach(s, func(_, _, secret int) { check(b.bindings[b.bareOf[secret]]) })
	}
	look(part)
	if found == nil && strings.Contains(part, "%") {
		look(unescapePercent(part))
	}
	// The receiver may decode escapes, and remove invisible characters that split a secret.
	for i, view := range find.Views(part) {
		if found == nil && (i > 0 || view.Offsets != nil) {
			look(view.Text)
		}
	}
	return found
}

// unescapePercent decodes percent escapes, of any character, and keeps wrong ones.
func unescapePercent(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// CheckRequest checks the URL and all headers of a request. Wrap the body with
// [Bindings.Reader] to check it.
func (b *Bindings) CheckRequest(u *url.URL, headers map[string][]string) error {
	if b == nil || b.m == nil {
		return nil
	}
	if err := b.Check(u, u.String()); err != nil {
		return err
	}
	for name, values := range headers {
		if err := b.Check(u, name); err != nil {
			return err
		}
		for _, v := range values {
			if err := b.Check(u, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Reader reads a body that is sent to u, until a secret begins that isn't bound to u.
// Then it returns a [*BindingError]. It never returns a part of the secret: it holds
// back as many bytes as the longest secret can have, with each character escaped, until
// it knows what follows.
func (b *Bindings) Reader(u *url.URL, body io.Reader) io.Reader {
	if b == nil || b.m == nil {
		return body
	}
	longest := 0
	for _, l := range b.m.Literals {
		longest = max(longest, len(l))
	}
	return &boundReader{b: b, to: u, body: body, keep: longest * maxEscapes}
}

type boundReader struct {
	b    *Bindings
	to   *url.URL
	body io.Reader
	keep int // bytes to hold back, because a secret may begin in them

	pending []byte // data that was read; pending[:at] was returned
	at      int
	safe    int // pending[:safe] may be returned
	err     error
}

// maxEscapes is the maximum number of bytes of one escaped character of a secret.
const maxEscapes = 24

// chunk is the number of bytes to read from a body at once.
const chunk = 32 << 10

func (r *boundReader) Read(p []byte) (int, error) {
	for r.at == r.safe {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.pending[r.at:r.safe])
	r.at += n
	return n, nil
}

// fill reads more data and determines how much of it is safe.
func (r *boundReader) fill() {
	r.pending = append(r.pending[:0], r.pending[r.at:]...)
	r.at = 0
	old := len(r.pending)
	r.pending = slices.Grow(r.pending, chunk)[:old+chunk]
	n, err := r.body.Read(r.pending[old:])
	r.pending, r.err = r.pending[:old+n], err
	if found := r.b.Check(r.to, string(r.pending)); found != nil {
		r.pending, r.safe, r.err = nil, 0, found
		return
	}
	r.safe = len(r.pending)
	if err == nil {
		r.safe = max(0, len(r.pending)-r.keep)
	}
}
