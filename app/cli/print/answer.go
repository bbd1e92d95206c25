package print

import (
	"slices"
	"strings"

	"errand/app/i18n"
)

// IsYes reports whether an answer is yes, in the language of the person or, if it
// is not a no there, in any other.
func (s *Console) IsYes(line string) bool { return s.means(line, "cli.answer_yes", "cli.answer_no") }

func (s *Console) isNo(line string) bool { return s.means(line, "cli.answer_no", "cli.answer_yes") }

// Means reports whether an answer is one of the words that a text lists, in the
// language of the person or in English.
func (s *Console) Means(line, code string) bool {
	return isListed(line, s.language(), code) || isListed(line, i18n.English(), code)
}

func (s *Console) means(line, code, opposite string) bool {
	if own := s.language(); isListed(line, own, code) || isListed(line, own, opposite) {
		return isListed(line, own, code)
	}
	return slices.ContainsFunc(i18n.Tags(), func(tag string) bool { return isListed(line, i18n.In(tag), code) })
}

// isListed reports whether a text of words with spaces between them has a word.
func isListed(word string, language *i18n.Language, code string) bool {
	return slices.Contains(strings.Fields(language.Say(code)), strings.ToLower(word))
}
