package print

import "errand/app/i18n"

// SpokenLanguage is the language of messages for people.
func (s *Console) SpokenLanguage() *i18n.Language { return s.language() }
