package redact_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/message"
	"errand/policy/redact"
)

// TestMessages checks that secrets in the parameters of a message are removed, wherever the
// message is, and that its code and other parameters stay.
func TestMessages(t *testing.T) {
	const secret = "CorrectHorse-77"
	r := redact.New([]string{secret})
	mark := r.Text(secret)
	with := func(s string) message.Message {
		return message.New("files.in_use", "path", "/tmp/"+s, "count", 3, "done", true,
			"cause", message.Verbatim("open "+s), "names", []string{"a", s})
	}
	type record struct {
		Reason message.Message   `json:"reason"`
		Near   []message.Message `json:"near"`
	}
	for name, tt := range map[string]struct{ value, want any }{
		"alone":               {with(secret), with(mark)},
		"verbatim":            {message.Verbatim("is " + secret), message.Verbatim("is " + mark)},
		"without parameters":  {message.New("a.b"), message.New("a.b")},
		"zero":                {message.Message{}, message.Message{}},
		"in a map":            {map[string]any{"reason": with(secret)}, map[string]any{"reason": with(mark)}},
		"in a list":           {[]any{with(secret)}, []any{with(mark)}},
		"in another":          {message.New("a.b", "cause", with(secret)), message.New("a.b", "cause", with(mark))},
		"a named secret":      {message.New("a.b", "password", "hunter2hunter2"), message.New("a.b", "password", r.Named("password", "hunter2hunter2"))},
		"an error":            {message.Error("a.b", "path", secret), message.New("a.b", "path", mark)},
		"an error of another": {errors.New("no " + secret), "no " + mark},
		"an error in another": {fmt.Errorf("no %s: %w", secret, message.Error("a.b")), message.New("message.within", "before", "no "+mark+": ", "message", message.New("a.b"), "after", "")},
	} {
		t.Run(name, func(t *testing.T) {
			before := fmt.Sprint(tt.value)
			if diff := cmp.Diff(tt.want, r.Value(tt.value)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if fmt.Sprint(tt.value) != before {
				t.Error("the value itself was changed")
			}
		})
	}
	value := record{with(secret), []message.Message{with(secret)}}
	got, err := json.Marshal(r.Value(value))
	want, wantErr := json.Marshal(map[string]any{"reason": with(mark), "near": []any{with(mark)}})
	if err != nil || wantErr != nil || string(got) != string(want) {
		t.Errorf("in a struct: %s, %v; want %s", got, err, want)
	}
	var nothing *redact.Redactor
	if m := with(secret); !cmp.Equal(nothing.Value(m), any(m)) {
		t.Error("a redactor without secrets changed a message")
	}
}

// TestCardNumberAsNumber checks that a card's number is removed from JSON numbers and that other
// numbers stay.
func TestCardNumberAsNumber(t *testing.T) {
	for number, want := range map[string]bool{"4111111111111111": true, "5555555555554444": true, "4111111111111112": false, "1767323045678": false, "13": false} {
		got := (*redact.Redactor)(nil).Value(map[string]any{"number": json.Number(number), "pin": json.Number("13")})
		values := got.(map[string]any)
		if _, left := values["number"].(json.Number); left == want {
			t.Errorf("%s became %v", number, values["number"])
		}
		if values["pin"] != json.Number("13") {
			t.Errorf("pin 13 became %v", values["pin"])
		}
	}
}
