// Package redact takes secrets out of text and values before they reach a log,
// a record, a screen or a model.
//
// Three nets lie on top of each other. The program's own secrets are known by
// value and found in every usual encoding. Tokens of well-known services are
// found by their shape. Everything else is found by what stands around it: the
// name before an equals sign, a header, the user info or a query parameter of
// a URL, a PEM block, a command-line option.
//
// What is found becomes a mark such as [redacted:password:1f4c]; the four hex
// digits are the same for the same secret, so that a reader of a log can tell
// two secrets apart. Text without secrets comes back byte for byte. Marks are
// left alone: redacting twice is redacting once.
//
// The time taken grows with the text, whatever is in it. A stretch that was made
// to be slow to read, which is nothing but beginnings of secrets, is hidden
// unread as [redacted:unread:…].
//
// Redact before shortening a text: half a secret has no shape.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Redactor removes secrets. A nil Redactor works and knows no secret by value.
// It may be used by several goroutines at once.
type Redactor struct {
	own    *matcher // nil: none
	secret []string // for each literal of own, the secret that it encodes
	alone  []bool   // for each literal of own: it counts where it stands alone
	become respelled
	tagKey []byte
	exact  bool
}

// Option changes how [New] makes a Redactor.
type Option func(*Redactor)

// Keyed makes the tags in marks depend on key, so that nobody without it can
// confirm a guess of a secret by its tag. Without it tags are the same
// everywhere.
func Keyed(key []byte) Option {
	return func(r *Redactor) { r.tagKey = slices.Clone(key) }
}

// Exact makes a Redactor that removes the given secrets and nothing else.
func Exact() Option { return func(r *Redactor) { r.exact = true } }

// MinSecret is the length in bytes below which a secret is not looked for
// anywhere: taking every "abc" out of a text would destroy the text. One of
// [MinWhole] bytes, such as the code of a card, is found where it stands alone,
// with no letter or digit beside it; a shorter one is not.
const (
	MinSecret = 4
	MinWhole  = 3
)

// New makes a redactor that also removes the given secrets by value, plain or
// in base64, hex, percent, JSON, Go or HTML encoding, on their own or as a
// part of something longer. What a page makes of one is found as well: digits
// in groups, other white space, all capitals or small letters, and its
// beginning where a text is cut. Secrets shorter than [MinWhole] and those that read
// like a part of a mark are ignored.
func New(secrets []string, opts ...Option) *Redactor {
	r := &Redactor{}
	for _, opt := range opts {
		opt(r)
	}
	var literals []string
	for _, s := range secrets {
		if len(s) < MinWhole || partOfMark(s) {
			continue
		}
		add := func(alone bool, spellings ...string) {
			for _, spelled := range spellings {
				literals = append(literals, spelled)
				r.secret = append(r.secret, s)
				r.alone = append(r.alone, alone)
			}
		}
		if len(s) < MinSecret {
			add(true, s)
			continue
		}
		add(false, encodings(s)...)
		anywhere, cased := r.become.add(s)
		for _, spelled := range anywhere {
			add(false, encodings(spelled)...)
		}
		add(true, cased...)
	}
	if len(literals) > 0 {
		r.own = newMatcher(literals, false)
	}
	return r
}

// span is a found secret: text[start:end].
type span struct {
	start, end int
	kind       string
	secret     string // what the tag is made from; "" means the text itself
}

// rounds bounds how often a text is gone through. A replacement can bring
// forth what was hidden by the secret before it, and each round takes away at
// least one byte that is not a mark's; two rounds do in practice.
const rounds = 8

// Text returns s without secrets.
func (r *Redactor) Text(s string) string { return r.text(s, false) }

// text redacts a text or the name of a value.
func (r *Redactor) text(s string, name bool) string {
	for range rounds {
		spans := r.find(s, name)
		if len(spans) == 0 {
			return s
		}
		s = r.replace(s, spans)
	}
	return s
}

// find lists what has to go, in order and without overlap.
func (r *Redactor) find(s string, name bool) []span {
	var spans []span
	p := plain(s)
	marks := marksIn(p.text)
	sc := scanner{page: p, marks: marks}
	if r == nil || !r.exact {
		sc.scan()
		sc.opaque()
	}
	for _, sp := range sc.spans {
		if !insideMark(marks, sp) {
			spans = append(spans, p.original(sp))
		}
	}
	if r != nil && r.own != nil {
		own := func(text string, marks []span, back func(span) span) {
			r.own.each(text, func(pos, lit int) {
				sp := span{pos, pos + len(r.own.literals[lit]), "own", r.secret[lit]}
				if r.alone[lit] && (!alone(text, sp.start, sp.end) || touches(marks, sp)) {
					return
				}
				spans = append(spans, back(sp))
			})
		}
		own(p.text, marks, p.original)
		if p.offsets != nil { // a secret may hold an invisible character itself
			own(s, marksIn(s), func(sp span) span { return sp })
		}
		spans = append(spans, r.become.find(p, marks, name)...)
	}
	return merge(spans)
}

// alone reports whether no letter or digit stands beside text[start:end].
func alone(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before) && !unicode.IsLetter(after) && !unicode.IsDigit(after)
}

// merge joins overlapping spans. The widest names the kind: a token inside a
// password is a password. Only a secret of our own keeps its name.
func merge(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []span
	for _, sp := range spans {
		if sp.start >= sp.end {
			continue
		}
		if n := len(out); n > 0 && sp.start < out[n-1].end {
			last := &out[n-1]
			if sp.secret != "" && last.secret == "" {
				last.kind, last.secret = sp.kind, sp.secret
			}
			last.end = max(last.end, sp.end)
			continue
		}
		out = append(out, sp)
	}
	return out
}

func (r *Redactor) replace(s string, spans []span) string {
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		secret := sp.secret
		if secret == "" {
			secret = s[sp.start:sp.end]
		}
		b.WriteString(s[at:sp.start])
		b.WriteString(r.mark(sp.kind, secret))
		at = sp.end
	}
	b.WriteString(s[at:])
	return b.String()
}

// Mark is what a secret of this kind is replaced by. Kind is a short
// lower-case word.
func (r *Redactor) Mark(kind, secret string) string { return r.mark(kind, secret) }

func (r *Redactor) mark(kind, secret string) string {
	var key []byte
	if r != nil {
		key = r.tagKey
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(secret))
	return markOpen + kind + ":" + hex.EncodeToString(mac.Sum(nil)[:tagBytes]) + "]"
}
