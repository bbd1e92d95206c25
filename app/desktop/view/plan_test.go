package view

import (
	"testing"

	"errand/planner/message"
)

// TestValueOf: only Errand's own messages are said; JSON that looks like one is
// shown as JSON.
func TestValueOf(t *testing.T) {
	ours := message.New("replay.before", "step", "a1")
	tests := []struct {
		value any
		want  message.Message
	}{
		{nil, message.Message{}},
		{"text", message.Verbatim("text")},
		{12.5, message.Verbatim("12.5")},
		{ours, ours},
		{map[string]any{"msg": "window.status.done"}, message.Verbatim(`{"msg":"window.status.done"}`)},
		{[]any{map[string]any{"msg": "a.b"}}, message.Verbatim(`[{"msg":"a.b"}]`)},
	}
	for _, tt := range tests {
		if got := ValueOf(tt.value); !got.Equal(tt.want) {
			t.Errorf("%v is shown as %s, want %s", tt.value, got, tt.want)
		}
	}
}
