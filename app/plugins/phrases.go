package plugins

import (
	"slices"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/interpret"
	"errand/planner/interpret/named"
	"errand/planner/message"
	"errand/planner/phrase"
)

// Phrases are the phrases of the enabled plugins. Plugins that can't be loaded have none.
func Phrases(s *Set) []phrase.Phrase {
	loaded, err := s.Load()
	if err != nil {
		return nil
	}
	var all []phrase.Phrase
	for _, p := range loaded {
		m := p.Manifest()
		all = append(all, m.ParsePhrases()...)
	}
	return all
}

// CheckPhrases refuses a plugin with a phrase that would never be read: the built-in grammar
// reads its words, it does not read its own examples, or it has no distinctive word.
func CheckPhrases(s *Set, m *manifest.Manifest) error {
	phrases := m.ParsePhrases()
	if len(phrases) == 0 {
		return nil
	}
	c := s.o.Config
	reader, err := interpret.New(c.Catalogue, interpret.Options{DefaultPlatform: c.Search.DefaultPlatform, WakeWords: c.UI.WakeWords})
	if err != nil {
		return err
	}
	for i, p := range phrases {
		refuse := func(field string, fault message.Message) error {
			return tool.NewError(tool.ValidationError, "bad_phrase", message.New("manifest.in_phrase", "plugin", m.ID, "number", i+1, "phrase", p.Text, "field", field, "fault", fault)).
				WithHint(message.New("plugins.bad_phrase_hint"))
		}
		if !named.IsDistinctive(reader.Words(), p) {
			return refuse("text", message.New("plugins.phrase_too_common"))
		}
		for n, text := range slices.Insert(slices.Clone(p.Examples), 0, sampleText(p)) {
			field := "examples"
			if n == 0 {
				field = "text"
			}
			t, r := reader.Parse(text), reader.Read(text)
			switch {
			case !named.MayRead(r, t):
				return refuse(field, message.New("plugins.phrase_built_in", "example", text))
			case len(named.FindPhrases(r, t, phrases[i:i+1])) == 0:
				return refuse(field, message.New("plugins.phrase_not_read", "example", text))
			}
		}
	}
	return nil
}

// sampleText is a text that a phrase should read.
func sampleText(p phrase.Phrase) string {
	text := ""
	for _, piece := range p.Pieces {
		if text != "" {
			text += " "
		}
		switch p.Kinds[piece.Slot] {
		case "":
			text += piece.Words
		case phrase.Number, phrase.Integer:
			text += "7"
		case phrase.Boolean:
			text += "yes"
		case phrase.Path:
			text += `"~/notes.txt"`
		default:
			text += "lorem"
		}
	}
	return text
}

// answersTo says which phrases a plugin answers to; nil: none.
func answersTo(m *manifest.Manifest) []message.Message {
	if len(m.Phrases) == 0 {
		return nil
	}
	texts := make([]string, len(m.Phrases))
	for i, p := range m.Phrases {
		texts[i] = p.Text
	}
	return []message.Message{message.New("plugins.answers_to", "phrases", texts)}
}
