package recipe

import (
	"strings"
	"testing"

	"errand/app/i18n"
)

// TestAddressThatWasGiven: what a parameter brings is looked at as what the recipe
// says itself.
func TestAddressThatWasGiven(t *testing.T) {
	file := head + "[params.q]\n" + opens("{q}")
	for given, why := range map[string]string{
		"https://example.com/":     "",
		"example.com":              "",
		"file:///etc/passwd":       "r.toml:6: browser.open: url begins with file:, which policy never allows",
		" \tjava\nscript:alert(1)": "url begins with javascript:",
	} {
		_, _, err := bound(t, file, map[string]string{"q": given}, false)
		if why == "" && err != nil || why != "" && (err == nil || !strings.Contains(i18n.English().Error(err), why)) {
			t.Errorf("%q: %v", given, err)
		}
	}
}
