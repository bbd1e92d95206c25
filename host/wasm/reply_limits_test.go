package wasm

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"errand/planner/message"
)

// TestAnswerLimits checks the limits of an answer's lists: their last allowed size and the
// first refused one.
func TestAnswerLimits(t *testing.T) {
	facts := func(count, size int) map[string]any {
		return map[string]any{"ok": true, "facts": slices.Repeat([]string{strings.Repeat("x", size)}, count)}
	}
	undo := func(size int) map[string]any {
		empty := len(`{"tool":"a.b","args":{"x":""}}`)
		return map[string]any{"ok": true, "undo": map[string]any{"tool": "a.b", "args": map[string]any{"x": strings.Repeat("x", size-empty)}}}
	}
	for _, tt := range []struct {
		name   string
		answer map[string]any
		code   string // "": accepted
	}{
		{"facts at the limit", facts(maxFacts, 20), ""},
		{"one fact more", facts(maxFacts+1, 20), "plugin.too_many_facts"},
		{"a bomb of facts", facts(90_000, 20), "plugin.too_many_facts"},
		{"empty facts count", facts(maxFacts+1, 0), "plugin.too_many_facts"},
		{"a long fact", facts(1, maxFactBytes), ""},
		{"a fact too long", facts(1, maxFactBytes+1), "plugin.long_fact"},
		{"long facts", facts(maxFactsBytes/maxFactBytes, maxFactBytes), ""},
		{"long facts and one more", facts(maxFactsBytes/maxFactBytes+1, maxFactBytes), "plugin.long_facts"},
		{"a large undo", undo(maxUndoBytes), ""},
		{"an undo too large", undo(maxUndoBytes + 1), "plugin.large_undo"},
		{"facts of a failed call", map[string]any{"ok": false, "error": map[string]any{"code": "a"}, "facts": make([]string, maxFacts+1)}, "plugin.too_many_facts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := json.Marshal(tt.answer)
			if err != nil {
				t.Fatal(err)
			}
			_, err = decode(b)
			got := ""
			if err != nil {
				got = message.FromError(err).Code
			}
			if got != tt.code {
				t.Errorf("error %q, want %q", got, tt.code)
			}
		})
	}
}
