package print

import (
	"slices"
	"strings"
	"unicode/utf8"

	"errand/app/i18n"
	"errand/host/trace"
	"errand/planner/message"
)

// Speaker says messages in the language of the person.
type Speaker struct {
	// Language returns the language of messages for people, by the tag of the goal's
	// language. Nil: English.
	Language func(goal string) *i18n.Language
	// Goal is the tag of the goal's language, in which JSON documents have the texts of
	// its plan; empty: not known.
	Goal string
}

// SpokenLanguage is the language of messages for people.
func (s *Speaker) SpokenLanguage() *i18n.Language { return s.language() }

func (s *Speaker) language() *i18n.Language {
	if s.Language == nil {
		return i18n.English()
	}
	return s.Language(s.Goal)
}

// SpeakOf says which language the goal is in; empty: it is not known.
func (s *Speaker) SpeakOf(tag string) {
	if tag != "" {
		s.Goal = tag
	}
}

// Text is a message in the language of the person. Page titles, plugin output and
// goals are untrusted: what parameters contain is made safe for a terminal.
func (s *Speaker) Text(code string, pairs ...any) string {
	return s.TextOf(message.New(code, pairs...))
}

// TextOf is [Speaker.Text] for a message.
func (s *Speaker) TextOf(m message.Message) string {
	return s.language().Text(m.MapText(trace.EscapeText))
}

// Lines is TextOf for a message of several lines, such as the output of a plugin.
func (s *Speaker) Lines(m message.Message) string {
	return trace.PlainLines(s.language().Text(m.MapText(trace.PlainLines)))
}

// Row is one row of a table: the texts of codes, such as its headings.
func (s *Speaker) Row(codes ...string) []string {
	row := make([]string, len(codes))
	for i, code := range codes {
		row[i] = s.Text(code)
	}
	return row
}

// Cells are the texts of codes, as wide as the widest.
func (s *Speaker) Cells(codes ...string) []string {
	texts, widest := s.Row(codes...), 0
	for _, t := range texts {
		widest = max(widest, utf8.RuneCountInString(t))
	}
	for i, t := range texts {
		texts[i] = t + strings.Repeat(" ", widest-utf8.RuneCountInString(t))
	}
	return texts
}

// Means reports whether an answer is one of the words that a text lists, in the
// language of the person or in English.
func (s *Speaker) Means(line, code string) bool {
	return slices.ContainsFunc([]*i18n.Language{s.language(), i18n.English()}, func(l *i18n.Language) bool {
		return slices.Contains(strings.Fields(l.Say(code)), strings.ToLower(line))
	})
}
