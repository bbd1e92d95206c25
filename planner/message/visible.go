package message

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Visible writes a name on one line so that two names look the same only if they are the
// same. It escapes as \xHH, \uHHHH or \UHHHHHHHH: what [IsHidden] names, line breaks and
// tabs, spaces other than U+0020, spaces at the ends and repeated ones, invalid UTF-8,
// characters that Unicode treats as another spelling of the same text (NFC), characters
// that look like ASCII separators, letters or digits, and Cyrillic, Greek and other letters
// that look like Latin ones in a word that also has Latin letters. A backslash before the
// text of an escape becomes \x5c.
//
// Different names have different results, so apply it once. These still look alike: words
// wholly in look-alike letters (Cyrillic "сор", Latin "cop"), and an emoji with and without
// its variation selector.
func Visible(s string) string {
	if isPlain(s) {
		return s
	}
	alike := mixedLetters(s)
	return escape(s, func(i int, r rune, n int) bool {
		switch {
		case r == ' ':
			return i == 0 || i+n == len(s) || s[i-1] == ' '
		case r == '\\':
			return looksEscaped(s[i+1:])
		}
		return unicode.Is(unicode.Zs, r) || alike[i] || looksASCII(s, r) || respells(s, i, n)
	})
}

// EscapeHidden escapes what [IsHidden] names in a text, except joiners and variation
// selectors where they change what is seen, and invalid UTF-8. It keeps everything that
// keep holds.
func EscapeHidden(s string, keep string) string {
	return escape(s, func(int, rune, int) bool { return false }, []rune(keep)...)
}

// IsHidden reports whether a screen would not show a character as itself. Control
// characters can move the cursor; format characters can reverse or hide text; fillers and
// tags take no room or look like a space.
func IsHidden(r rune) bool {
	switch r {
	case '\u2800', '\u034f', '\uffa0': // the blank Braille pattern, a joiner, a filler
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// escape escapes hidden characters, unless they are kept or part of an emoji or a word, and
// the others that it is asked for.
func escape(s string, also func(i int, r rune, n int) bool, keep ...rune) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strings.ContainsRune(string(keep), r), !(IsHidden(r) && !joins(s, i, r, n)) && !also(i, r, n):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// isPlain reports whether a name is printable ASCII with nothing to escape.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '\\' || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// looksEscaped reports whether the text after a backslash makes an escape of it.
func looksEscaped(rest string) bool {
	digits := map[string]int{"x": 2, "u": 4, "U": 8}
	if rest == "" || digits[rest[:1]] == 0 || len(rest) <= digits[rest[:1]] {
		return false
	}
	return strings.Trim(rest[1:1+digits[rest[:1]]], "0123456789abcdef") == ""
}

// respells reports whether a character is a part of a spelling that NFC writes in another
// way: a mark that its letter could contain, or a duplicate such as the Kelvin sign.
func respells(s string, i, n int) bool {
	if one := s[i : i+n]; n == 1 || !norm.NFC.IsNormalString(one) {
		return n > 1
	}
	start := i
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if start -= size; !unicode.Is(unicode.M, r) {
			break
		}
	}
	return start < i && norm.NFC.String(s[start:i+n]) != norm.NFC.String(s[start:i])+s[i:i+n]
}
