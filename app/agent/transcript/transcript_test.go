package transcript_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/agent/transcript"
	"errand/host/agent"
	"errand/host/trace"
)

func turn(t *testing.T, number int, role string, body any) trace.Turn {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return trace.Turn{Number: number, Role: role, Body: b}
}

// TestConversation checks the order of turns, that a turn counts once, and which requests belong to which turn.
func TestConversation(t *testing.T) {
	c := &transcript.Conversation{}
	failed := trace.ModelNote{Provider: "openai", Turn: 1, Attempt: 1, Status: 503, Failure: "transient"}
	c.AddRequest(failed)
	c.AddRequest(trace.ModelNote{Provider: "ollama", Model: "m", Turn: 1, Status: 200, TokensIn: 10, TokensOut: 2, CostMicros: 5, Priced: true})
	c.AddTurn(turn(t, 1, "user", map[string]any{"text": "the task"})) // with record_prompts
	first := agent.Body{Provider: "ollama", Model: "m", Text: "I look.", TokensIn: 10, TokensOut: 2, Calls: []agent.CallBody{
		{ID: "t1.1", Tool: "files.read", Args: map[string]any{"path": "/notes.txt"}}, {ID: "t1.2", Tool: "files.read", Malformed: `["cut`},
	}}
	added := c.AddTurn(turn(t, 1, "assistant", first))
	c.AddTurn(turn(t, 1, "assistant", first)) // told twice
	c.AddTurn(turn(t, 2, "assistant", agent.Body{Text: "Done."}))
	c.AddTurn(turn(t, 3, "assistant", "damaged"))

	want := []transcript.Turn{
		{Number: 1, Provider: "ollama", Model: "m", Text: "I look.", TokensIn: 10, TokensOut: 2, Calls: []string{"t1.1", "t1.2"}, Failed: []trace.ModelNote{failed}, Answered: true},
		{Number: 2, Text: "Done.", Answered: true},
	}
	if diff := cmp.Diff(want, c.Turns); diff != "" {
		t.Errorf("turns (-want +got)\n%s", diff)
	}
	if len(added) != 2 || len(c.Actions) != 2 || c.Actions[0].Preview.IsZero() || c.Actions[1].Args == nil {
		t.Errorf("actions %+v, added %+v", c.Actions, added)
	}
	if c.Use.Requests != 1 || c.Use.TokensIn != 10 || c.Use.Micros != 5 {
		t.Errorf("use %+v", c.Use)
	}
	if _, ok := transcript.Of(trace.Record{}); ok {
		t.Error("a run of the rules is no conversation")
	}
}
