package print

import (
	"slices"
	"strings"
	"unicode/utf8"

	"errand/app/i18n"
	"errand/host/trace"
	"errand/planner/message"
)

// Speaker renders messages in the user's language.
type Speaker struct {
	// Language returns the language of messages for people, by the tag of the goal's
	// language. Nil: English.
	Language func(goal string) *i18n.Language
	// Goal is the tag of the goal's language, in which JSON documents have the texts of its plan;
	// empty: unknown.
	Goal string
}

// SpokenLanguage returns the language of messages for people.
func (s *Speaker) SpokenLanguage() *i18n.Language { return s.language() }

func (s *Speaker) language() *i18n.Language {
	if s.Language == nil {
		return i18n.English()
	}
	return s.Language(s.Goal)
}

// SpeakOf sets the language of the goal; empty: unknown.
func (s *Speaker) SpeakOf(tag string) {
	if tag != "" {
		s.Goal = tag
	}
}

// Text returns a message in the user's language. Page titles, plugin output and goals are
// untrusted, so parameters are made safe for a terminal.
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

// Row returns the texts of codes as one row of a table, such as its headings.
func (s *Speaker) Row(codes ...string) []string {
	row := make([]string, len(codes))
	for i, code := range codes {
		row[i] = s.Text(code)
	}
	return row
}

// Cells returns the texts of codes, padded to the widest.
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

// Means reports whether an answer is one of the words in a text, in the user's language or in
// English.
func (s *Speaker) Means(line, code string) bool {
	return slices.ContainsFunc([]*i18n.Language{s.language(), i18n.English()}, func(l *i18n.Language) bool {
		return slices.Contains(strings.Fields(l.Say(code)), strings.ToLower(line))
	})
}
