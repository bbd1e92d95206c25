package print

import (
	"bytes"
	"encoding/json"
	"testing"

	"errand/app/runs"
	"errand/host/trace"
)

// TestSpeech checks that each line of an answer is printed once, marked, without control characters, and
// that a second request says so.
func TestSpeech(t *testing.T) {
	var out bytes.Buffer
	c := &Console{Terminal: true}
	c.Stdout, c.Stderr = &out, &out
	p := RunPrinter{Console: c}
	for _, text := range []string{"One.", "One. Two\n", "One. Two\nThree \x1b[2J.", "Other."} {
		p.hear(runs.PartialEvent{Number: 1, Text: text})
	}
	body, err := json.Marshal(map[string]any{"provider": "p", "model": "m", "text": "Other. And more."})
	if err != nil {
		t.Fatal(err)
	}
	p.hear(runs.TurnEvent{Turn: trace.Turn{Number: 1, Role: "assistant", Body: body}})
	p.hear(runs.PartialEvent{Number: 2, Text: "Next."})
	p.hear(runs.NoteEvent{})
	want := "│ One. Two\n│ Three \\x1b[2J.\nThe model begins again.\n│ Other. And more.\n│ Next.\n"
	if got := out.String(); got != want {
		t.Errorf("printed\n%q, want\n%q", got, want)
	}
	out.Reset()
	p.Terminal = false
	p.hear(runs.PartialEvent{Number: 3, Text: "Hidden."})
	if out.Len() > 0 {
		t.Errorf("a script got %q", out.String())
	}
}
