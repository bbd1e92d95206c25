package print

import "testing"

// TestArgument: an argument is shown as it is meant, and never as Go writes it.
func TestArgument(t *testing.T) {
	tests := map[string]any{
		"plain <text>":         "plain <text>",
		`""`:                   "",
		"true":                 true,
		"12345678":             12345678.0,
		`["a","b <c>"]`:        []any{"a", "b <c>"},
		`{"k":{"deep":[1,2]}}`: map[string]any{"k": map[string]any{"deep": []any{1.0, 2.0}}},
		"null":                 nil,
	}
	for want, v := range tests {
		if got := Argument(v); got != want {
			t.Errorf("%#v is shown as %s, want %s", v, got, want)
		}
	}
}
