package display

import (
	"regexp"
	"slices"

	"errand/planner/message"
)

var parameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// check reports the first thing that is wrong with the description of a tool.
func (t Tool) check() error {
	if t.Title["en"] == "" {
		return message.Error("display.no_english_title")
	}
	for _, s := range t.Summary {
		if len(s.Args) == 0 {
			return message.Error("display.summary_without_arguments")
		}
		if err := s.Text.takes(s.Args...); err != nil {
			return message.Error("display.bad_summary", "args", s.Args, "cause", err)
		}
	}
	if !slices.Contains(kinds, t.View.Kind) {
		return message.Error("display.unknown_view", "kind", t.View.Kind)
	}
	if keyed := slices.Contains([]Kind{Lines, List, Table, Phrase}, t.View.Kind); keyed != (t.View.Key != "") {
		return message.Error("display.wrong_view_key", "kind", t.View.Kind, "key", t.View.Key)
	}
	if (t.View.Kind == List) != (t.View.Label != "") {
		return message.Error("display.wrong_view_label", "kind", t.View.Kind, "label", t.View.Label)
	}
	for _, text := range []struct {
		key    string
		text   Text
		params []string
	}{
		{"title", t.Title, nil},
		{"result", t.Result, []string{"path"}},
		{"empty", t.Empty, nil},
		{"empty_part", t.EmptyPart, nil},
		{"not_found", t.NotFound, []string{"sought"}},
	} {
		if err := text.text.takes(text.params...); err != nil {
			return message.Error("display.bad_text", "key", text.key, "cause", err)
		}
	}
	for value, phrase := range t.View.Phrases {
		if err := phrase.takes(value); err != nil {
			return message.Error("display.bad_phrase", "key", value, "cause", err)
		}
	}
	return nil
}

// takes checks that the text has exactly these parameters in each language.
func (t Text) takes(params ...string) error {
	for language, text := range t {
		var has []string
		for _, m := range parameter.FindAllStringSubmatch(text, -1) {
			has = append(has, m[1])
		}
		slices.Sort(has)
		if want := slices.Sorted(slices.Values(params)); !slices.Equal(has, want) {
			return message.Error("display.wrong_parameters", "language", language, "has", has, "want", want)
		}
	}
	return nil
}

// Fill puts values in place of the parameters of a text. A parameter without a
// value stays.
func Fill(text string, values map[string]string) string {
	return parameter.ReplaceAllStringFunc(text, func(p string) string {
		if v, ok := values[p[1:len(p)-1]]; ok {
			return v
		}
		return p
	})
}
