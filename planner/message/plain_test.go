package message_test

import (
	"encoding/json"
	"testing"

	"errand/build/must"
	"errand/planner/message"
)

// TestPlain: plain values are those of the JSON, and make the same message.
func TestPlain(t *testing.T) {
	for _, m := range []message.Message{
		{},
		message.Verbatim("EOF"),
		message.New("x.y"),
		message.New("x.y", "n", 3, "size", 1.5, "ok", true, "cause", message.New("x.z", "path", "/a"), "text", message.Verbatim("b"),
			"all", []any{"a", 2, message.New("x.z")}),
	} {
		plain := must.JSON(t, m.PlainValue())
		whole := must.JSON(t, m)
		if string(plain) != string(whole) {
			t.Errorf("%s: %s, want %s", m, plain, whole)
		}
		var v any
		must.Succeed(t, json.Unmarshal(whole, &v))
		var want message.Message
		must.Succeed(t, json.Unmarshal(whole, &want))
		if !want.Equal(m) {
			t.Errorf("%s: %s after JSON", m, want)
		}
		for _, plain := range []any{m.PlainValue(), v} {
			if got := message.FromPlain(plain); !got.Equal(want) {
				t.Errorf("%v: %s, want %s", plain, got, want)
			}
		}
	}
	for _, v := range []any{nil, 1.0, map[string]any{"params": 1.0}, []any{"a"}} {
		if got := message.FromPlain(v); !got.IsZero() {
			t.Errorf("%v: %s", v, got)
		}
	}
}
