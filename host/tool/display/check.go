package display

import (
	"fmt"
	"regexp"
	"slices"
)

var parameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// check reports the first thing that is wrong with the description of a tool.
func (t Tool) check() error {
	if t.Title["en"] == "" {
		return fmt.Errorf("title has no English text")
	}
	for _, s := range t.Summary {
		if len(s.Args) == 0 {
			return fmt.Errorf("a summary names no arguments")
		}
		if err := s.Text.takes(s.Args...); err != nil {
			return fmt.Errorf("the summary of %v: %w", s.Args, err)
		}
	}
	if !slices.Contains(kinds, t.View.Kind) {
		return fmt.Errorf("view: there is no kind %q", t.View.Kind)
	}
	if keyed := slices.Contains([]Kind{Lines, List, Table, Phrase}, t.View.Kind); keyed != (t.View.Key != "") {
		return fmt.Errorf("view: a view of kind %q and the key %q", t.View.Kind, t.View.Key)
	}
	if (t.View.Kind == List) != (t.View.Label != "") {
		return fmt.Errorf("view: a view of kind %q and the label %q", t.View.Kind, t.View.Label)
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
			return fmt.Errorf("%s: %w", text.key, err)
		}
	}
	for value, phrase := range t.View.Phrases {
		if err := phrase.takes(value); err != nil {
			return fmt.Errorf("the phrase of %s: %w", value, err)
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
			return fmt.Errorf("the text in %q has the parameters %v, want %v", language, has, want)
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
