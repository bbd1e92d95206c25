// Package redact takes secrets out of text and values before they reach a log,
// a record, a screen or a model.
//
// Three nets lie on top of each other. The program's own secrets are known by
// value and found in every usual encoding. Tokens of well-known services are
// found by their shape. Everything else is found by its context: the
// name before an equals sign, a header, the user info or a query parameter of
// a URL, a PEM block, a command-line option.
//
// What is found becomes a mark such as [redacted:password:1f4c]; the four hex
// digits are the same for the same secret, so that a reader of a log can tell
// two secrets apart. Text without secrets comes back byte for byte. Marks are
// left alone: redacting twice is redacting once.
//
// The time taken grows with the text, whatever is in it. A stretch that was made
// to be slow to read, with beginnings of secrets only, is hidden
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

	"errand/policy/redact/find"
)

// Redactor removes secrets. A nil Redactor works and knows no secret by value.
// It may be used by several goroutines at once.
type Redactor struct {
	own    *find.Matcher // nil: none
	secret []string      // for each literal of own, the secret that it encodes
	alone  []bool        // for each literal of own: it counts as a whole word only
	become spellings
	tagKey []byte
	exact  bool
}

// Option changes how [New] makes a Redactor.
type Option func(*Redactor)

// Keyed makes the tags in marks depend on key, so that it takes the key to
// confirm a guess of a secret by its tag. Without it tags are the same
// everywhere.
func Keyed(key []byte) Option {
	return func(r *Redactor) { r.tagKey = slices.Clone(key) }
}

// Exact makes a Redactor that removes the given secrets and nothing else.
func Exact() Option { return func(r *Redactor) { r.exact = true } }

// MinSecret is the length in bytes below which a secret is not looked for
// anywhere: taking every "abc" out of a text would destroy the text. One of
// [MinWhole] bytes, such as the code of a card, is found as a whole word,
// with no letter or digit beside it; a shorter one is not.
const (
	MinSecret = find.MinSecret
	MinWhole  = 3
)

// New makes a redactor that also removes the given secrets by value, plain or
// in base64, hex, percent, JSON, Go or HTML encoding, on their own or as a
// part of something longer. What a page makes of one is found as well: digits
// in groups, other white space, all capitals or small letters, and its
// cutLength where a text is cut. Secrets shorter than [MinWhole] and those that read
// like a part of a mark are ignored.
func New(secrets []string, opts ...Option) *Redactor {
	r := &Redactor{}
	for _, opt := range opts {
		opt(r)
	}
	var literals []string
	for _, s := range secrets {
		if len(s) < MinWhole || find.IsPartOfMark(s) {
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
		r.own = find.NewMatcher(literals, false)
	}
	return r
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
func (r *Redactor) find(s string, name bool) []find.Span {
	var spans []find.Span
	p := find.ReadPage(s)
	marks := find.Marks(p.Text)
	if r == nil || !r.exact {
		for _, sp := range find.Secrets(p, marks) {
			spans = append(spans, p.Original(sp))
		}
	}
	if r != nil && r.own != nil {
		own := func(text string, marks []find.Span, back func(find.Span) find.Span) {
			r.own.Each(text, func(pos, lit int) {
				sp := find.Span{Start: pos, End: pos + len(r.own.Literals[lit]), Kind: "own", Secret: r.secret[lit]}
				if r.alone[lit] && (!isWhole(text, sp.Start, sp.End) || touches(marks, sp)) {
					return
				}
				spans = append(spans, back(sp))
			})
		}
		own(p.Text, marks, p.Original)
		if p.Offsets != nil { // a secret may hold an invisible character itself
			own(s, find.Marks(s), func(sp find.Span) find.Span { return sp })
		}
		spans = append(spans, r.become.find(p, marks, name)...)
	}
	return merge(spans)
}

// isWhole reports whether no letter or digit is beside text[start:end].
func isWhole(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before) && !unicode.IsLetter(after) && !unicode.IsDigit(after)
}

// merge joins overlapping spans. The widest names the kind: a token inside a
// password is a password. Only a secret of our own keeps its name.
func merge(spans []find.Span) []find.Span {
	slices.SortStableFunc(spans, func(a, b find.Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	var out []find.Span
	for _, sp := range spans {
		if sp.Start >= sp.End {
			continue
		}
		if n := len(out); n > 0 && sp.Start < out[n-1].End {
			last := &out[n-1]
			if sp.Secret != "" && last.Secret == "" {
				last.Kind, last.Secret = sp.Kind, sp.Secret
			}
			last.End = max(last.End, sp.End)
			continue
		}
		out = append(out, sp)
	}
	return out
}

func (r *Redactor) replace(s string, spans []find.Span) string {
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		secret := sp.Secret
		if secret == "" {
			secret = s[sp.Start:sp.End]
		}
		b.WriteString(s[at:sp.Start])
		b.WriteString(r.mark(sp.Kind, secret))
		at = sp.End
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
	return find.MarkOpen + kind + ":" + hex.EncodeToString(mac.Sum(nil)[:find.TagBytes]) + "]"
}

// Marked reports whether s holds a mark: whether something was taken out of it,
// by this redactor or another.
func Marked(s string) bool { return len(find.Marks(s)) > 0 }

// NamesSecret reports whether what goes into a field of this name, label or
// selector is a secret by that alone: "Password", "Security code", "Пароль".
func NamesSecret(name string) bool { return find.NamesSecret(name) }
