package redact

import (
	"io"
	"net/url"
	"slices"

	"errand/policy/redact/find"
)

// Binding ties one of the program's own secrets to the hosts that it may be
// sent to.
type Binding struct {
	Name   string // what a message calls the secret, "mail password"
	Secret Secret
	// May says whether it may be sent to a URL. Nil: nowhere.
	May func(*url.URL) bool
}

// Bound knows where each own secret may go. A request that carries one to any
// redactOther host, in whatever encoding, is to be stopped: a plugin that was given
// one host must not hand the program's keys to another. The nil Bound stops
// nothing. It may be used by several goroutines at once.
type Bound struct {
	m        *find.Matcher // nil: no secrets
	bindings []Binding
	of       []int // for each literal of m, its binding
}

// Bind makes a Bound. Secrets shorter than [MinSecret] are not looked for.
func Bind(bindings []Binding) *Bound {
	b := &Bound{bindings: bindings}
	var literals []string
	for i, binding := range bindings {
		if secret := binding.Secret.Reveal(); len(secret) >= MinSecret {
			for _, enc := range encodings(secret) {
				literals = append(literals, enc)
				b.of = append(b.of, i)
			}
		}
	}
	if len(literals) > 0 {
		b.m = find.NewMatcher(literals, false)
	}
	return b
}

// Carried is the error of sending a secret to a host that it isn't bound to.
type Carried struct {
	Name string // of the secret
	Host string
}

func (e *Carried) Error() string { return "the " + e.Name + " is not for " + e.Host }

// Check looks for secrets in a part of a request to u: its URL, the name or
// value of a header, a body. The error is a [*Carried].
func (b *Bound) Check(u *url.URL, part string) error {
	if b == nil || b.m == nil {
		return nil
	}
	var found error
	look := func(s string) {
		b.m.Each(s, func(_, lit int) {
			if binding := b.bindings[b.of[lit]]; found == nil && (binding.May == nil || !binding.May(u)) {
				found = &Carried{binding.Name, u.Hostname()}
			}
		})
	}
	look(part)
	// The receiver may put together what invisible characters cut.
	if p := find.ReadPage(part); found == nil && p.Offsets != nil {
		look(p.Text)
	}
	return found
}

// CheckRequest looks at the URL and all headers of a request. The body is looked
// at as it is read: wrap it with [Bound.Reader].
func (b *Bound) CheckRequest(u *url.URL, headers map[string][]string) error {
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

// Reader passes on a body to u up to where a secret begins that isn't bound
// to it; reading on answers a [*Carried]. No byte of the secret is passed on:
// as much as the longest one is held back until what follows is known.
func (b *Bound) Reader(u *url.URL, body io.Reader) io.Reader {
	if b == nil || b.m == nil {
		return body
	}
	longest := 0
	for _, l := range b.m.Literals {
		longest = max(longest, len(l))
	}
	return &boundReader{b: b, to: u, body: body, keep: longest - 1}
}

type boundReader struct {
	b    *Bound
	to   *url.URL
	body io.Reader
	keep int // bytes held back, since a secret may begin in them

	held []byte // read, and passed on up to at
	at   int
	safe int // held[:safe] may be passed on
	err  error
}

// chunk is how much of a body is read at once, in bytes.
const chunk = 32 << 10

func (r *boundReader) Read(p []byte) (int, error) {
	for r.at == r.safe {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.held[r.at:r.safe])
	r.at += n
	return n, nil
}

// fill reads on and says how much of what is held is safe.
func (r *boundReader) fill() {
	r.held = append(r.held[:0], r.held[r.at:]...)
	r.at = 0
	old := len(r.held)
	r.held = slices.Grow(r.held, chunk)[:old+chunk]
	n, err := r.body.Read(r.held[old:])
	r.held, r.err = r.held[:old+n], err
	if found := r.b.Check(r.to, string(r.held)); found != nil {
		r.held, r.safe, r.err = nil, 0, found
		return
	}
	r.safe = len(r.held)
	if err == nil {
		r.safe = max(0, len(r.held)-r.keep)
	}
}
