// Package redact removes secrets from text and values before they reach a log, a record, a
// screen or a model.
//
// It combines three methods. It finds the program's own secrets by value, in all common
// encodings. It finds tokens of well-known services by their format. It finds other
// secrets by their context: the name before an equals sign, a header, the user info or a
// query parameter of a URL, a PEM block, a command-line option.
//
// A mark such as [redacted:password:1f4c] replaces each secret. The four hex digits are
// the same for the same secret, so that readers of a log can distinguish secrets. Text
// without secrets is returned unchanged. Marks are not redacted again.
//
// The time is linear in the length of the text, whatever its content. A part that is
// constructed to be slow to scan is replaced by [redacted:unread:…].
//
// Redact a text before shortening it: a truncated secret has no recognizable format.
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

// Redactor removes secrets. A nil Redactor works but knows no secrets by value. It is safe
// for concurrent use.
type Redactor struct {
	ownSecrets *find.Matcher // nil: none
	secret     []string      // for each literal of own: the secret that it encodes
	wholeWord  []bool        // for each literal of own: match whole words only
	become     spellings
	bare       *bareMatcher
	tagKey     func() []byte // nil: no key
	exact      bool
}

// Option changes how [New] makes a Redactor.
type Option func(*Redactor)

// WithKey makes the tags in marks depend on key. Without the key, a guess of a secret can
// then not be confirmed by its tag. By default, tags are the same everywhere.
func WithKey(key []byte) Option {
	key = slices.Clone(key)
	return WithLazyKey(func() []byte { return key })
}

// WithLazyKey is [WithKey] for a key that is loaded when the first mark is made. Several
// goroutines may call load.
func WithLazyKey(load func() []byte) Option { return func(r *Redactor) { r.tagKey = load } }

// OnlyGiven makes a Redactor that removes only the given secrets.
func OnlyGiven() Option { return func(r *Redactor) { r.exact = true } }

// MinSecret is the minimum length in bytes of secrets that are found anywhere: removing
// every "abc" would destroy the text. A secret of at least [MinWhole] bytes, such as the
// code of a card, is found as a whole word. Shorter secrets are ignored.
const (
	MinSecret = find.MinSecret
	MinWhole  = 3
)

// New returns a redactor that also removes the given secrets by value: in plain text and
// in base64, hex, percent, JSON, Go or HTML encoding, alone or inside longer text. It also
// finds the forms that pages make of them: digits in groups, other white space, upper or
// lower case, and truncated to cutLength. It ignores secrets shorter than [MinWhole] and
// those that look like a part of a mark.
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
				r.wholeWord = append(r.wholeWord, alone)
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
		r.ownSecrets = find.NewMatcher(literals, false)
		r.bare = newBareMatcher(secrets, true)
	}
	return r
}

// rounds limits the passes over a text. A replacement may expose another secret, and
// each pass removes at least one byte outside of marks. In practice two passes suffice.
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

// Secrets returns the secrets in a text, in order.
func (r *Redactor) Secrets(s string) []string {
	var found []string
	for _, sp := range r.find(s, false) {
		found = append(found, s[sp.Start:sp.End])
	}
	return found
}

// find returns the places of secrets, in order and without overlap.
func (r *Redactor) find(s string, name bool) []find.Span {
	var spans []find.Span
	for _, view := range find.Views(s) {
		spans = append(spans, r.findIn(view, s, name)...)
	}
	return merge(spans)
}

// findIn returns the secrets in a view of s, as spans of s.
func (r *Redactor) findIn(p find.Page, s string, name bool) []find.Span {
	var spans []find.Span
	marks := find.Marks(p.Text)
	if r == nil || !r.exact {
		for _, sp := range find.Secrets(p, marks) {
			spans = append(spans, p.Original(sp))
		}
	}
	if r != nil && r.ownSecrets != nil {
		own := func(text string, marks []find.Span, back func(find.Span) find.Span) {
			r.ownSecrets.ForEach(text, func(pos, lit int) {
				sp := find.Span{Start: pos, End: pos + len(r.ownSecrets.Literals[lit]), Kind: "own", Secret: r.secret[lit]}
				if r.wholeWord[lit] && (!isWhole(text, sp.Start, sp.End) || overlapsAny(marks, sp)) {
					return
				}
				spans = append(spans, back(sp))
			})
		}
		own(p.Text, marks, p.Original)
		if p.Offsets != nil { // the secret may contain an invisible character
			own(s, find.Marks(s), func(sp find.Span) find.Span { return sp })
		}
		spans = append(spans, r.become.find(p, marks, name)...)
		r.bare.forEach(p.Text, func(start, end, secret int) {
			if sp := (find.Span{Start: start, End: end, Kind: "own", Secret: r.bare.secrets[secret]}); !overlapsAny(marks, sp) {
				spans = append(spans, p.Original(sp))
			}
		})
	}
	return spans
}

// isWhole reports whether text[start:end] has no letter or digit next to it.
func isWhole(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before) && !unicode.IsLetter(after) && !unicode.IsDigit(after)
}

// merge joins overlapping spans. The longest determines the kind: a token inside a
// password is a password. Only the program's own secrets keep their name.
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

// Mark returns the mark that replaces a secret. Kind is a short lower-case word.
func (r *Redactor) Mark(kind, secret string) string { return r.mark(kind, secret) }

func (r *Redactor) mark(kind, secret string) string {
	var key []byte
	if r != nil && r.tagKey != nil {
		key = r.tagKey()
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(secret))
	return find.MarkOpen + kind + ":" + hex.EncodeToString(mac.Sum(nil)[:find.TagBytes]) + "]"
}

// HasMark reports whether s contains a mark of this or another redactor.
func HasMark(s string) bool { return len(find.Marks(s)) > 0 }

// NamesSecret reports whether the name, label or selector of a field means that its
// value is a secret: "Password", "Security code", "Пароль".
func NamesSecret(name string) bool { return find.NamesSecret(name) }
