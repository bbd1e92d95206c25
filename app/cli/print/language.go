package print

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"errand/app/i18n"
	"errand/host/trace"
	"errand/planner/message"
)

// SpokenLanguage is the language of messages for people.
func (s *Console) SpokenLanguage() *i18n.Language { return s.language() }

func (s *Console) language() *i18n.Language {
	if s.Language == nil {
		return i18n.English()
	}
	return s.Language(s.Goal)
}

// SpeakOf says which language the goal is in; empty: it is not known.
func (s *Console) SpeakOf(tag string) {
	if tag != "" {
		s.Goal = tag
	}
}

// Text is a message in the language of the person. Page titles, plugin output and
// goals are untrusted: what parameters contain is made safe for a terminal.
func (s *Console) Text(code string, pairs ...any) string {
	return s.TextOf(message.New(code, pairs...))
}

// TextOf is [Console.Text] for a message.
func (s *Console) TextOf(m message.Message) string {
	return s.language().Text(m.MapText(trace.Plain))
}

// Lines is TextOf for a message of several lines, such as the output of a plugin.
func (s *Console) Lines(m message.Message) string {
	return trace.PlainLines(s.language().Text(m.MapText(trace.PlainLines)))
}

// Row is one row of a table: the texts of codes, such as its headings.
func (s *Console) Row(codes ...string) []string {
	row := make([]string, len(codes))
	for i, code := range codes {
		row[i] = s.Text(code)
	}
	return row
}

// text is Text with painted values.
func (s *Console) text(w io.Writer, code string, pairs []any) string {
	m := message.New(code, pairs...).MapText(trace.Plain)
	for i := 1; i < len(pairs); i += 2 {
		if painted, ok := pairs[i].(Painted); ok {
			m.Params = maps.Clone(m.Params)
			m.Params[pairs[i-1].(string)] = s.show(w, painted)
		}
	}
	return s.language().Text(m)
}

// show is a value as a stream shows it: safe for a terminal, a message in the
// language of the person, and coloured if it is [Painted].
func (s *Console) show(w io.Writer, v any) string {
	color := s.Color
	if w == s.Stderr {
		color = s.ColorErr
	}
	switch v := v.(type) {
	case Painted:
		text := s.show(w, v.value)
		if !color {
			return text
		}
		return v.color + text + "\x1b[0m"
	case message.Message:
		return trace.Plain(s.TextOf(v))
	}
	return trace.Plain(fmt.Sprint(v))
}

// InLanguage is a value of a JSON document whose messages about the goal are in a
// language of their own, such as one draft of a list.
func InLanguage(tag string, v any) json.Marshaler { return spoken{i18n.In(tag), v} }

type spoken struct {
	language *i18n.Language
	value    any
}

func (s spoken) MarshalJSON() ([]byte, error) { return marshal(s.value, s.language) }

// marshal makes a JSON document with the texts of its messages: those about the
// goal in the goal's language, all others in English.
func marshal(v any, goal *i18n.Language) ([]byte, error) {
	doc, err := encodeJSON(v)
	if err != nil {
		return nil, err
	}
	return i18n.Faces{Goal: goal, Other: i18n.English()}.JSON(doc)
}
