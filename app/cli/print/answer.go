package print

import (
	"slices"
	"strings"

	"errand/app/i18n"
)

// Means reports whether an answer is one of the words that a text lists, in the
// language of the person or in English.
func (s *Console) Means(line, code string) bool {
	return slices.ContainsFunc([]*i18n.Language{s.language(), i18n.English()}, func(l *i18n.Language) bool {
		return slices.Contains(strings.Fields(l.Say(code)), strings.ToLower(line))
	})
}
