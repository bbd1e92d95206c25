package agent

import (
	"context"
	"encoding/json"
	"slices"

	"errand/host/llm"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/redact"
)

// Body is the body of a recorded answer of a model.
type Body struct {
	Provider  string     `json:"provider"`
	Model     string     `json:"model"`
	Finish    string     `json:"finish,omitempty"`
	TokensIn  int        `json:"tokens_in"`
	TokensOut int        `json:"tokens_out"`
	Text      string     `json:"text,omitempty"`
	Calls     []CallBody `json:"calls,omitempty"`
}

// CallBody is a call in a [Body].
type CallBody struct {
	ID        string         `json:"id"`
	Tool      string         `json:"tool"`
	Args      map[string]any `json:"args,omitempty"`
	Malformed string         `json:"malformed,omitempty"` // see [llm.Call]
	After     []int          `json:"after,omitempty"`
}

// bodyOf returns an answer as it is recorded.
func bodyOf(t llm.Turn) Body {
	b := Body{Provider: t.Provider, Model: t.Model, Finish: string(t.Finish), TokensIn: t.Usage.In, TokensOut: t.Usage.Out, Text: t.Text}
	for _, c := range t.Calls {
		b.Calls = append(b.Calls, CallBody{c.ID, c.Name, c.Args, c.Malformed, c.After})
	}
	return b
}

// Turn returns a recorded answer as the model gave it, without its secrets.
func (b Body) Turn() llm.Turn {
	t := llm.Turn{Provider: b.Provider, Model: b.Model, Text: b.Text, Finish: llm.Finish(b.Finish), Usage: llm.Usage{In: b.TokensIn, Out: b.TokensOut}}
	for _, c := range b.Calls {
		call := llm.Call{ID: c.ID, Name: c.Tool, Args: c.Args, Malformed: c.Malformed, After: c.After}
		if call.Args == nil && call.Malformed == "" {
			call.Args = map[string]any{}
		}
		t.Calls = append(t.Calls, call)
	}
	return t
}

// ReadTurns reads the recorded answers of a model, in their order.
func ReadTurns(turns []trace.Turn) ([]Body, error) {
	var out []Body
	for _, t := range turns {
		if t.Role != string(llm.Assistant) {
			continue
		}
		var b Body
		if err := json.Unmarshal(t.Body, &b); err != nil {
			return nil, tool.NewError(tool.ExecutionError, "bad_turn", message.New("agent.bad_turn", "turn", t.Number, "cause", err))
		}
		out = append(out, b)
	}
	return out, nil
}

// resultBody is a result that the model was sent, as it is recorded.
type resultBody struct {
	CallID  string `json:"call_id"`
	Content string `json:"content"`
	IsError bool   `json:"is_error,omitempty"`
}

func resultBodies(results []llm.Result) []resultBody {
	out := make([]resultBody, len(results))
	for i, r := range results {
		out[i] = resultBody{r.CallID, r.Content, r.IsError}
	}
	return out
}

// lacksSecret reports whether a recorded call had a secret in its arguments.
func lacksSecret(c llm.Call) bool { return redact.HasMark(string(llm.Marshal(c.Args))) }

// begin starts the conversation, with what is recorded of earlier attempts.
func (p *Planner) begin(ctx context.Context) error {
	p.messages = []llm.Message{{Role: llm.User, Text: p.clean(p.o.Task)}}
	answers, err := ReadTurns(p.o.Turns)
	if err != nil {
		return err
	}
	if len(answers) == 0 && p.o.RecordPrompts {
		return p.o.AddTurn(ctx, 1, string(llm.User), map[string]any{"system": p.system(), "text": p.clean(p.o.Task)})
	}
	steps := finalSteps(p.o.Steps)
	for i, b := range answers {
		t := b.Turn()
		p.turn++
		p.addAnswer(t)
		for _, c := range t.Calls {
			if s, ok := steps[c.ID]; ok {
				p.takeResults([]run.ToolResult{run.ResultOf(ctx, s)})
			}
		}
		switch last := i == len(answers)-1; {
		case !last && !p.closed:
			p.addResults()
		case last && len(t.Calls) == 0:
			p.answer = t.Text
		}
	}
	return nil
}

// finalSteps returns the steps by their ids that say how a call ended. Calls that were
// interrupted, wait, were skipped, or had an unknown effect have to be made again.
func finalSteps(steps []trace.Step) map[string]trace.Step {
	out := map[string]trace.Step{}
	for _, s := range steps {
		switch {
		case s.Status == trace.Done, slices.Contains([]trace.Status{trace.Failed, trace.Denied}, s.Status) && s.Effect != tool.Unknown:
			out[s.StepID] = s
		case out[s.StepID].Status != trace.Done:
			delete(out, s.StepID)
		}
	}
	return out
}
