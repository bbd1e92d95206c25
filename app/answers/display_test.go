package answers

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/browser/actions"
	"errand/host/files"
	"errand/host/system"
	"errand/host/tool/display"
	"errand/plugins"
)

// TestDisplays: each package describes tools of its own name, once, and every
// message of a tool has a text in every language, with the parameters that it gets.
func TestDisplays(t *testing.T) {
	described := map[string]bool{}
	for source, tools := range map[string]map[string]display.Tool{
		"browser.": actions.Displays(), "files.": files.Displays(), "system.": system.Displays(), "": plugins.Displays(),
	} {
		for name, d := range tools {
			if !strings.HasPrefix(name, source) {
				t.Errorf("%s describes %s", source, name)
			}
			if described[name] {
				t.Errorf("%s is described twice", name)
			}
			described[name] = true
			for code, params := range d.Texts() {
				checkTexts(t, code, params)
			}
		}
	}
	if len(described) < 40 {
		t.Errorf("%d tools are described", len(described))
	}
}

func checkTexts(t *testing.T, code string, params []string) {
	t.Helper()
	var pairs []any
	for _, name := range params {
		pairs = append(pairs, name, "<"+name+">")
	}
	for _, tag := range i18n.Tags() {
		language := i18n.In(tag)
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
