package find

import (
	"strings"

	"errand/policy/rulefile"
)

// token is a row of rules/tokens.toml.
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
	switch t.Check {
	case "mixed":
		return mixed(body)
	case "two-parts":
		first, second, ok := strings.Cut(body, ".")
		return ok && len(first) >= 12 && len(second) >= 16
	case "uuid":
		return strings.Count(body, "-") == 4
	case "digit":
		return isDigit.some(body)
	}
	return true
}

// mixed refuses words: "sk-learn-pipelines-for-everyone" is none of anyone's
// keys.
func mixed(body string) bool {
	return isDigit.some(body) || isUpper.some(body) && isLower.some(body)
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

// token tries a token with a prefix at text[pos], where the prefix stands in any
// case.
func (s *scanner) token(t *token, prefix string, pos int) {
	if !strings.HasPrefix(s.Text[pos:], prefix) || !s.begins(pos) {
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

// begins reports whether a token can begin at text[i]: not in the middle of a
// word, unless what stands before it is an escape such as \n or %3D.
func (s *scanner) begins(i int) bool {
	t := s.Text
	if i == 0 || !isAlnum[t[i-1]] || s.gap(i) {
		return true
	}
	if i >= 2 && t[i-2] == '\\' {
		return true
	}
	if i >= 3 && t[i-3] == '%' && isHex[t[i-2]] && isHex[t[i-1]] {
		return true
	}
	return i >= 6 && t[i-6] == '\\' && t[i-5] == 'u'
}
