package message

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	joiner    = '\u200d'
	nonJoiner = '\u200c'
	asEmoji   = '\ufe0f' // shows the character before it as an emoji
	keycap    = '\u20e3'
)

// joins reports whether an invisible character changes what its neighbours look like: it
// joins emoji, makes one of a sign, or parts letters of a script that joins them.
func joins(s string, i int, r rune, n int) bool {
	before, size := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+n:])
	switch r {
	case asEmoji:
		return isEmoji(before) || after == keycap && strings.ContainsRune("0123456789#*", before)
	case joiner:
		if before == asEmoji {
			before, _ = utf8.DecodeLastRuneInString(s[:i-size])
		}
		return isEmoji(before) && isEmoji(after) || joinsLetters(before, after)
	case nonJoiner:
		return joinsLetters(before, after)
	}
	return false
}

// isEmoji reports whether a character is a symbol as emoji are, or the colour of a skin.
func isEmoji(r rune) bool {
	return r > 0x2000 && r != '\u2800' && unicode.Is(unicode.So, r) || r >= 0x1f3fb && r <= 0x1f3ff
}

// rightJoining are the Arabic letters that never join the letter after them.
const rightJoining = "ءآأؤإاةدذرزوىٱڈڑژۀۃۆۇۈۋےۓ"

// viramas end a consonant of an Indic script. A joiner after one changes its form.
const viramas = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"

func joinsLetters(before, after rune) bool {
	if strings.ContainsRune(viramas, before) {
		return unicode.IsLetter(after)
	}
	return unicode.In(before, unicode.Arabic) && unicode.IsLetter(before) && !strings.ContainsRune(rightJoining, before) &&
		unicode.In(after, unicode.Arabic) && unicode.IsLetter(after)
}
