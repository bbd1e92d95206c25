// Package find finds secrets in text: tokens of well-known services by their format,
// and everything else by its context, such as the name before an equals sign, a header,
// the user info or a query parameter of a URL, a PEM block or a command-line option.
//
// The rules are TOML files: rules/tokens.toml has tokens with a prefix,
// rules/patterns.toml regular expressions with conditions, rules/pairs.toml the ways to
// write a name and its value, rules/words.toml the names and words, and
// gitleaks/gitleaks.toml the rules of the Gitleaks project.
//
// The time is linear in the length of the text, whatever its content. A part that is
// crafted to be slow to scan is reported as a secret of the kind "unread".
package find

// Span is a found secret: text[Start:End].
type Span struct {
	Start, End int
	Kind       string
	Secret     string // the text from which the tag of the mark is made; "" means text[Start:End]
}

// MinSecret is the minimum length in bytes of a secret.
const MinSecret = 4

// Secrets returns the secrets of a page outside its marks. They may overlap.
func Secrets(p Page, marks []Span) []Span {
	s := newScanner(p, marks)
	s.scan()
	s.findOpaque()
	s.findNumbers()
	s.findUserInfo()
	var out []Span
	for _, sp := range s.spans {
		if !isInsideMark(marks, sp) {
			out = append(out, sp)
		}
	}
	return out
}

// InNamedValue returns the secrets of a value that has a name, such as the value of a
// header.
func InNamedValue(name, value string) []Span {
	strength, kind := judgeName(name)
	s := newScanner(Page{Text: value}, nil)
	words := splitName(name)
	switch last := words[max(0, len(words)-1):]; {
	case len(last) == 0:
		return nil
	case last[0] == "cookie":
		s.Text = name + ": " + value
		s.scan()
		var found []Span
		for _, sp := range s.spans {
			if begin := len(name) + len(": "); sp.Start >= begin {
				found = append(found, Span{Start: sp.Start - begin, End: sp.End - begin, Kind: sp.Kind})
			}
		}
		if len(found) > 0 {
			return found
		}
		s = newScanner(Page{Text: value}, nil)
	case last[0] == "authorization":
		strength, kind = weak, "authorization"
		if len(value) >= 8 && !IsCommonValue(value) && !isPlainWord(value) {
			strength = strong
		}
	}
	if strength != none && s.pairs.accept(valueSpan{0, len(value), true}, separator{kind: ':'}, name, strength, false) {
		return []Span{{Start: 0, End: len(value), Kind: kind}}
	}
	return nil
}

// NumberKind returns the kind of secret of a number with a name, "" for none.
func NumberKind(name, number string) string {
	if strength, kind := judgeName(name); strength == strong && len(number) >= 4 || strength == digits && len(number) >= 3 {
		return kind
	}
	return ""
}
