package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/policy/redact/find"
)

// joinBlanks returns a view of a text with one blank for each run of white space.
func joinBlanks(s string) find.Page {
	var v viewer
	for i := 0; i < len(s); {
		n := blankAt(s, i)
		if n == 0 {
			v.keep(s[i], i)
			i++
			continue
		}
		if len(v.text) == 0 || v.text[len(v.text)-1] != ' ' {
			v.keep(' ', i)
		}
		i += n
	}
	return v.page(s)
}

// joinDigits returns a view of a text without the single separators between two digits.
func joinDigits(s string) find.Page {
	var v viewer
	for i := 0; i < len(s); {
		if i > 0 && isDigit(s[i-1]) && !isDigit(s[i]) {
			if n := groupAt(s, i); n > 0 && i+n < len(s) && isDigit(s[i+n]) {
				i += n
				continue
			}
		}
		v.keep(s[i], i)
		i++
	}
	return v.page(s)
}

// viewer writes a view of a text.
type viewer struct {
	text    []byte
	offsets []int
}

func (v *viewer) keep(c byte, at int) {
	v.text, v.offsets = append(v.text, c), append(v.offsets, at)
}

func (v *viewer) page(s string) find.Page {
	if string(v.text) == s {
		return find.Page{Text: s}
	}
	return find.Page{Text: string(v.text), Offsets: v.offsets, Source: s}
}

// blankAt returns the length of the white space character at s[i], 0 for none.
func blankAt(s string, i int) int {
	c := s[i]
	switch {
	case c > '&' && c < utf8.RuneSelf:
		return 0
	case c == '&' && strings.HasPrefix(s[i:], "&nbsp;"):
		return len("&nbsp;")
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// groupAt returns the length of a separator of digit groups at s[i], 0 for none.
func groupAt(s string, i int) int {
	if n := blankAt(s, i); n > 0 {
		return n
	}
	if strings.HasPrefix(s[i:], "%20") {
		return len("%20")
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); strings.ContainsRune(".,'’/_+·−", r) || unicode.Is(unicode.Pd, r) {
		return n
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
