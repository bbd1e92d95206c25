package lexicon

import (
	"strings"
	"unicode"
)

// IsPlainWord reports whether a word has only letters, digits and dashes, and three letters at
// least.
func IsPlainWord(word string) bool {
	letters := 0
	for _, r := range word {
		switch {
		case unicode.IsLetter(r):
			letters++
		case r != '-' && !unicode.IsDigit(r):
			return false
		}
	}
	return letters > 2
}

// IsAddress reports whether a text is one address of a page and nothing else. It needs no
// vocabulary.
func IsAddress(text string) bool {
	if !strings.ContainsAny(text, ".:") {
		return false
	}
	tokens := Tokenize(text)
	return len(tokens) == 1 && tokens[0].Shape == LinkShape
}
