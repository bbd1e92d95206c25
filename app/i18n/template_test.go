package i18n

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"errand/planner/message"
)

// TestSharedExamples reads examples that the page's own templates are tested with,
// too: frontend/src/words/template.test.ts.
func TestSharedExamples(t *testing.T) {
	b, err := os.ReadFile("testdata/templates.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Language, Text, Want string
		Params               json.RawMessage
	}
	if err := json.Unmarshal(b, &examples); err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		var m message.Message
		if err := json.Unmarshal([]byte(`{"msg":"example","params":`+string(e.Params)+`}`), &m); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		p := printer{ForTag(e.Language), maxText}
		p.fill(&got, e.Text, m.Params)
		if got.String() != e.Want {
			t.Errorf("%s: %s with %s is %q, want %q", e.Language, e.Text, e.Params, got.String(), e.Want)
		}
	}
}
