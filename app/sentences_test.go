package app

import (
	"encoding/json"
	"strings"
	"testing"

	"errand/app/answers"
	"errand/app/i18n"
	"errand/build/must"
)

// TestEveryToolHasASentence: nothing that comes with the program is shown by the
// name of its tool, whatever it is called with, in either language.
func TestEveryToolHasASentence(t *testing.T) {
	a, _ := opened(t, Options{})
	set, err := a.toolSet(t.Context())
	must.Succeed(t, err)
	specs := set.Specs()
	if len(specs) < 30 {
		t.Fatalf("%d tools", len(specs))
	}
	for _, spec := range specs {
		if spec.Display.Title.IsZero() {
			t.Errorf("%s has no title: %+v", spec.Name, spec.Display)
		}
		var schema struct {
			Properties map[string]struct{ Type string } `json:"properties"`
		}
		must.Succeed(t, json.Unmarshal(spec.ArgsSchema, &schema))
		calls := []map[string]any{{}}
		for name, p := range schema.Properties {
			var value any = "x"
			switch p.Type {
			case "string":
			case "array":
				value = []any{"x"}
			case "boolean":
				value = true
			case "integer", "number":
				value = 1.0
			default: // a locator, or rows of fields
				value = map[string]any{"role": "button", "name": "x"}
			}
			calls = append(calls, map[string]any{name: value})
		}
		for _, args := range calls {
			for language, run := range map[string]string{"en": "Run ", "ru": "Выполнить "} {
				said := i18n.ForTag(language).Text(answers.SummarizeCall(spec.Name, args))
				if strings.HasPrefix(said, run) || strings.Contains(said, spec.Name) || strings.Contains(said, "%!") || strings.Contains(said, "%s") {
					t.Errorf("%s %v: %q", spec.Name, args, said)
				}
				if language == "ru" && !strings.ContainsFunc(said, func(r rune) bool { return r >= 'А' && r <= 'я' }) {
					t.Errorf("%s %v is not in Russian: %q", spec.Name, args, said)
				}
			}
		}
	}
}
