package print

import "testing"

func TestPayloadText(t *testing.T) {
	for name, tt := range map[string]struct {
		payload any
		want    string
	}{
		"nothing":    {nil, ""},
		"empty":      {map[string]any{}, ""},
		"scalars":    {map[string]any{"words": 2, "empty": false, "name": "x", "none": nil}, "empty: false\nname: x\nnone: null\nwords: 2"},
		"nested":     {map[string]any{"value": map[string]any{"b": []any{1, "x"}}}, `value: {"b":[1,"x"]}`},
		"lines":      {map[string]any{"text": "one\ntwo"}, "text:\none\ntwo"},
		"a list":     {[]any{1, 2}, "[1,2]"},
		"a text":     {"plain", "plain"},
		"a terminal": {map[string]any{"k\x1b[2J": "v\x1b[2J"}, `k\x1b[2J: v\x1b[2J`},
	} {
		if got := payloadText(tt.payload); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
