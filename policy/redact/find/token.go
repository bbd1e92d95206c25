package find

import (
	"strings"

	"errand/policy/rulefile"
)

// readToken is a row of rules/tokens.toml.
type token struct {
	Kind     string
	Prefixes string
	Chars    charset
	Min, Max int
	Check    string
}

// tokens are the rows of rules/tokens.toml.
var tokens = rulefile.Load[struct{ Tokens []*token }](files, "rules/tokens.toml")

// accepts reports whether the body of a token, without its prefix, is one.
func (t *token) accepts(body string) bool {
	if len(body) < t.Min || t.Max > 0 && len(body) > t.Max {
		return false
	}
	return satisfies(body, t.Check)
}

func chars(parts ...charset) *charset {
	var c charset
	for _, p := range parts {
		for b, in := range p {
			c[b] = c[b] || in
		}
	}
	return &c
}

// readToken tries a token with a prefix at text[pos], where the prefix is in any
// case.
func (s *scanner) readToken(t *token, prefix string, pos int) {
	if !strings.HasPrefix(s.Text[pos:], prefix) || !s.canBegin(pos) {
		return
	}
	from := pos + len(prefix)
	end := s.run(&t.Chars, from)
	for end > from && !isAlnum[s.Text[end-1]] && s.Text[end-1] != '=' {
		end-- // a full stop or dash behind a token is the sentence's
	}
	if t.accepts(s.Text[from:end]) {
		s.add(t.Kind, pos, end)
	}
}
