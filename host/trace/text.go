package trace

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EscapeText makes untrusted text safe for a terminal, such as page titles, file names
// and errors. It escapes [IsHidden] characters and writes a newline as ⏎.
func EscapeText(s string) string { return escapeText(s, "⏎", " ") }

// PlainLines is [EscapeText] for text with several lines, such as a plugin's output. It
// keeps newlines and tabs.
func PlainLines(s string) string { return escapeText(s, "\n", "\t") }

// IsHidden reports whether a terminal would not display a character as itself.
// Control characters could move the cursor or recolour earlier output; invisible
// format characters could reverse or hide text. Joiners of emoji and scripts are
// not hidden.
func IsHidden(r rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

func escapeText(s, newline, tab string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(newline)
		case r == '\r' && strings.HasPrefix(s[i:], "\r\n"): // part of the newline
		case r == '\t':
			b.WriteString(tab)
		case !IsHidden(r):
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
