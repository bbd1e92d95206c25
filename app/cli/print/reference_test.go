package print_test

import (
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/app/i18n"
	"errand/build/must"
	"errand/host/browser/actions"
)

// TestReference checks that `errand tools NAME`, to which docs/browser.md refers, documents every
// tool: it has a title and a description, and each argument has a description or is a locator,
// which docs/browser.md explains.
func TestReference(t *testing.T) {
	for _, x := range actions.New(actions.Options{}) {
		s := x.Spec()
		if len(strings.Fields(s.Description)) < 3 {
			t.Errorf("%s has the description %q", s.Name, s.Description)
		}
		if !i18n.English().Has(s.Display.Title.Code) {
			t.Errorf("%s has no title %s", s.Name, s.Display.Title)
		}
		rows, err := print.Arguments(s)
		must.Succeed(t, err)
		for _, row := range rows {
			name, kind, description := row[0], row[1], row[2]
			if kind == "" || description == "" && kind != "locator" {
				t.Errorf("%s: %s of type %q has the description %q", s.Name, name, kind, description)
			}
		}
	}
}
