package i18n

import (
	"slices"
	"strings"
)

// IsYes reports whether an answer is a word for yes in any language. People answer
// in the language that they think in, whatever the question's is.
func IsYes(answer string) bool { return isWordOf("language.yes", answer) }

// IsNo reports whether an answer is a word for no in any language.
func IsNo(answer string) bool { return isWordOf("language.no", answer) }

// isWordOf reports whether a word is in a list of words, separated by spaces.
func isWordOf(code, word string) bool {
	return slices.ContainsFunc(Tags(), func(tag string) bool {
		words, _ := ForTag(tag).lookup(code)
		return slices.Contains(strings.Fields(words), strings.ToLower(word))
	})
}
