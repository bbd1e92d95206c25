package answers

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/plugins"
)

// TestDisplays: each built-in tool says how it is shown, no plugin has its name, and
// every message of a tool has a text in every language, with the parameters that it
// gets.
func TestDisplays(t *testing.T) {
	for _, x := range BuiltIn() {
		name := x.Spec().Name
		if _, twice := plugins.Displays()[name]; twice {
			t.Errorf("%s is described twice", name)
		}
	}
	for name, d := range displays() {
		if err := d.Check(); err != nil || d.Title.Code != "tool."+name+".title" {
			t.Errorf("%s: title %q, %v", name, d.Title.Code, err)
		}
		for code, params := range d.Texts() {
			checkTexts(t, code, params)
		}
	}
	if n := len(displays()); n < 40 {
		t.Errorf("%d tools are described", n)
	}
}

func checkTexts(t *testing.T, code string, params []string) {
	t.Helper()
	var pairs []any
	for _, name := range params {
		pairs = append(pairs, name, "<"+name+">")
	}
	for _, tag := range i18n.Tags() {
		language := i18n.ForTag(tag)
		if !language.Has(code) {
			t.Errorf("%s is not in %s", code, tag)
			continue
		}
		text := language.Say(code, pairs...)
		if text == "" || strings.ContainsAny(text, "{}") {
			t.Errorf("%s in %s: %q", code, tag, text)
		}
		for _, name := range params {
			if !strings.Contains(text, "<"+name+">") {
				t.Errorf("%s in %s does not say {%s}: %q", code, tag, name, text)
			}
		}
	}
}
