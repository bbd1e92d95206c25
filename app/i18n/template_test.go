package i18n

import (
	"encoding/json"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/message"
)

// TestSharedExamples reads examples that the page's own templates are tested with,
// too: frontend/src/words/template.test.ts.
func TestSharedExamples(t *testing.T) {
	b := must.ReadFile(t, "testdata/templates.json")
	var examples []struct {
		Language, Text, Want string
		Params               json.RawMessage
	}
	must.Succeed(t, json.Unmarshal(b, &examples))
	for _, e := range examples {
		var m message.Message
		must.Succeed(t, json.Unmarshal([]byte(`{"msg":"example","params":`+string(e.Params)+`}`), &m))
		var got strings.Builder
		p := printer{ForTag(e.Language), maxText}
		p.fill(&got, e.Text, m.Params)
		if got.String() != e.Want {
			t.Errorf("%s: %s with %s is %q, want %q", e.Language, e.Text, e.Params, got.String(), e.Want)
		}
	}
}
