// Package anthropic speaks the messages protocol of Anthropic.
package anthropic

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"errand/host/llm"
	"errand/planner/message"
)

// Name is the provider's name in the configuration.
const Name = "anthropic"

// version is the protocol's.
const version = "2023-06-01"

// Adapter implements [llm.Adapter].
type Adapter struct {
	o        llm.Options
	endpoint llm.Endpoint
}

// New makes an adapter. It sends nothing.
func New(o llm.Options) *Adapter {
	header := http.Header{}
	header.Set("Anthropic-Version", version)
	if o.Key != "" {
		header.Set("X-Api-Key", o.Key)
	}
	return &Adapter{o, o.Endpoint(Name, header)}
}

// Name implements [llm.Adapter].
func (a *Adapter) Name() string { return Name }

// Model implements [llm.Adapter].
func (a *Adapter) Model() string { return a.o.Model }

// Complete implements [llm.Adapter]. A turn that the provider pauses is continued once.
func (a *Adapter) Complete(ctx context.Context, r llm.Request) (llm.Turn, error) {
	t, err := a.ask(ctx, r)
	if err != nil || t.Finish != finishPause || len(t.Calls) > 0 || t.Text == "" {
		return t, err
	}
	r.Messages = append(slices.Clone(r.Messages), t.Message())
	if show := r.Partial; show != nil {
		r.Partial = func(text string) { show(t.Text + text) }
	}
	rest, err := a.ask(ctx, r)
	if err != nil {
		return llm.Turn{}, err
	}
	rest.Text = t.Text + rest.Text
	rest.Usage.In += t.Usage.In
	rest.Usage.Out += t.Usage.Out
	return rest, nil
}

func (a *Adapter) ask(ctx context.Context, r llm.Request) (llm.Turn, error) {
	names := llm.NewWireNames(r.Tools)
	answer, err := a.exchange(ctx, r, a.encode(r, names))
	if err != nil {
		return llm.Turn{}, err
	}
	if answer.StopReason == "" {
		return llm.Turn{}, a.endpoint.Fail(message.New("llm.no_answer"))
	}
	return answer.turn(r, names), nil
}

// Models implements [llm.Adapter]. It lists the newest thousand.
func (a *Adapter) Models(ctx context.Context) ([]string, error) {
	return a.endpoint.ListIDs(ctx, "/v1/models?limit=1000")
}

type request struct {
	Model     string        `json:"model"`
	MaxTokens int           `json:"max_tokens"`
	System    string        `json:"system,omitempty"`
	Messages  []chatMessage `json:"messages"`
	Tools     []toolEntry   `json:"tools,omitempty"`
	Stream    bool          `json:"stream,omitempty"`
}

type chatMessage struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is a text, a tool_use or a tool_result of a request.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

type toolEntry struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

// encode writes a conversation. Results are blocks of one user message, before any text, and
// messages of the same role become one.
func (a *Adapter) encode(r llm.Request, names llm.WireNames) request {
	out := request{Model: a.o.Model, MaxTokens: a.o.OutputLimit(r), System: r.System}
	for _, m := range llm.PrepareMessages(r.Messages) {
		role, blocks := "user", []block(nil)
		if m.Role == llm.Assistant {
			role = "assistant"
		}
		for _, result := range m.Results {
			blocks = append(blocks, block{Type: "tool_result", ToolUseID: result.CallID, Content: result.Content, IsError: result.IsError})
		}
		if m.Text != "" {
			blocks = append(blocks, block{Type: "text", Text: m.Text})
		}
		for _, c := range m.Calls {
			blocks = append(blocks, block{Type: "tool_use", ID: c.ID, Name: names.Wire(c.Name), Input: llm.Marshal(c.WireArgs())})
		}
		if n := len(out.Messages); n > 0 && out.Messages[n-1].Role == role {
			out.Messages[n-1].Content = append(out.Messages[n-1].Content, blocks...)
			continue
		}
		out.Messages = append(out.Messages, chatMessage{role, blocks})
	}
	for _, s := range r.Tools {
		description, parameters := llm.Parameters(s)
		out.Tools = append(out.Tools, toolEntry{names.Wire(s.Name), description, parameters})
	}
	return out
}

type response struct {
	Model      string        `json:"model"`
	Content    []answerBlock `json:"content"`
	StopReason string        `json:"stop_reason"`
	Usage      usage         `json:"usage"`
}

type answerBlock struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type usage struct {
	In         int `json:"input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	Out        int `json:"output_tokens"`
}

const finishPause llm.Finish = "pause_turn"

// finishes maps the protocol's words.
var finishes = map[string]llm.Finish{
	"end_turn": llm.FinishStop, "stop_sequence": llm.FinishStop, "tool_use": llm.FinishCalls,
	"max_tokens": llm.FinishLength, "model_context_window_exceeded": llm.FinishLength, "refusal": llm.FinishFiltered,
}

func (p response) turn(r llm.Request, names llm.WireNames) llm.Turn {
	t := llm.Turn{
		Provider: Name, Model: p.Model, Finish: llm.Finish(p.StopReason),
		Usage: llm.Usage{In: p.Usage.In + p.Usage.CacheWrite + p.Usage.CacheRead, Out: p.Usage.Out},
	}
	if f, ok := finishes[p.StopReason]; ok {
		t.Finish = f
	}
	for _, b := range p.Content {
		switch b.Type {
		case "text":
			t.Text += b.Text
		case "tool_use":
			args, malformed := llm.ParseArgs(b.Input)
			t.Calls = append(t.Calls, llm.Call{ID: b.ID, Name: names.Tool(b.Name), Args: args, Malformed: malformed})
		}
	}
	llm.CompleteIDs(r, t.Calls)
	t.CutLast()
	return t
}
