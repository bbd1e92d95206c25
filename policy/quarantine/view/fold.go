package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"errand/policy/rulefile"
)

// letterTables are the tables of data/letters.toml.
var letterTables = rulefile.Load[struct{ Forms, Lookalikes, Turned, Digits letters }](files, "data/letters.toml")

// letters maps characters to what they are read as.
type letters map[rune]rune

// UnmarshalText reads pairs of characters with blanks between them.
func (l *letters) UnmarshalText(text []byte) error {
	*l = letters{}
	for pair := range strings.FieldsSeq(string(text)) {
		form, n := utf8.DecodeRuneInString(pair)
		(*l)[form], _ = utf8.DecodeRuneInString(pair[n:])
	}
	return nil
}

// read replaces the characters of s that are in the table.
func (l letters) read(s string) string {
	return strings.Map(func(r rune) rune {
		if letter, ok := l[r]; ok {
			return letter
		}
		return r
	}, s)
}

// Fold normalises a text. It resolves compatibility forms (full-width, mathematical and
// circled letters), drops accents, case and invisible characters, and keeps runs of
// blanks. The second result is the place in the text of each byte of the first.
func Fold(text string) (string, []int) {
	var b strings.Builder
	b.Grow(len(text))
	offsets := make([]int, 0, len(text))
	for i, r := range text {
		if invisible(r) {
			continue
		}
		from := b.Len()
		if r < utf8.RuneSelf {
			b.WriteByte(byte(unicode.ToLower(r)))
		} else {
			foldRune(&b, r)
		}
		for range b.Len() - from {
			offsets = append(offsets, i)
		}
	}
	return b.String(), offsets
}

// foldRune writes the fold of one character beyond ASCII.
func foldRune(b *strings.Builder, r rune) {
	if letter, ok := letterTables().Forms[r]; ok {
		b.WriteRune(letter)
		return
	}
	for _, d := range norm.NFKD.String(string(r)) {
		if d == utf8.RuneError {
			d = ' '
		}
		if !unicode.Is(unicode.Mn, d) {
			b.WriteRune(unicode.ToLower(d))
		}
	}
}

// invisible reports whether a character is invisible.
func invisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x180E, r == 0x3164, r == 0xFEFF, r == 0xFFA0:
		return true
	}
	return r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r >= 0xFE00 && r <= 0xFE0F ||
		r >= 0xE0000 && r <= 0xE01EF
}

// IsLetter reports whether a byte belongs to a lower-case Latin letter or a non-ASCII
// character.
func IsLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf }

// IsASCII reports whether s has only ASCII characters.
func IsASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
