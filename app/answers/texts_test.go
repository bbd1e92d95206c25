package answers

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"errand/host/browser/actions"
	"errand/host/files"
	"errand/host/system"
	"errand/host/tool/display"
	"errand/plugins"
)

// TestDisplays: every text has its own code and is in both languages, and each
// package describes tools of its own name.
func TestDisplays(t *testing.T) {
	codes := map[string]bool{}
	for source, tools := range map[string]map[string]display.Tool{
		"browser.": actions.Displays(), "files.": files.Displays(), "system.": system.Displays(), "": plugins.Displays(),
	} {
		for name, d := range tools {
			if !strings.HasPrefix(name, source) {
				t.Errorf("%s describes %s", source, name)
			}
			for code, text := range d.Texts(name) {
				if codes[code] {
					t.Errorf("%s is there twice", code)
				}
				codes[code] = true
				languages := slices.Sorted(maps.Keys(text))
				if phrase := strings.Contains(code, ".phrase."); !phrase && !slices.Equal(languages, []string{"en", "ru"}) {
					t.Errorf("%s is in %v", code, languages)
				}
			}
		}
	}
	for _, code := range []string{
		"tool.browser.open.title", "tool.browser.open.summary.url", "tool.browser.find.not_found", "tool.browser.read_text.empty_part",
		"tool.system.apps.launch.shell.summary.url.app_name", "tool.system.query.phrase.date", "tool.browser.pdf.result",
	} {
		if !codes[code] {
			t.Errorf("there is no %s", code)
		}
	}
	for key, text := range texts() {
		if key != "months" && !slices.Equal(slices.Sorted(maps.Keys(text)), []string{"en", "ru"}) {
			t.Errorf("answer.%s is in %v", key, slices.Sorted(maps.Keys(text)))
		}
	}
}
