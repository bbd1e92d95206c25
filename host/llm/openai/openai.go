// Package openai speaks the chat completions protocol of OpenAI, which many other servers
// speak too.
package openai

import (
	"context"
	"encoding/json"
	"net/http"

	"errand/host/llm"
	"errand/planner/message"
)

// Name is the provider's name in the configuration.
const Name = "openai"

// Adapter implements [llm.Adapter].
type Adapter struct {
	o        llm.Options
	endpoint llm.Endpoint
}

// New makes an adapter. It sends nothing.
func New(o llm.Options) *Adapter {
	header := http.Header{}
	if o.Key != "" {
		header.Set("Authorization", "Bearer "+o.Key)
	}
	return &Adapter{o, o.Endpoint(Name, header)}
}

// Name implements [llm.Adapter].
func (a *Adapter) Name() string { return Name }

// Model implements [llm.Adapter].
func (a *Adapter) Model() string { return a.o.Model }

// Complete implements [llm.Adapter].
func (a *Adapter) Complete(ctx context.Context, r llm.Request) (llm.Turn, error) {
	names := llm.NewWireNames(r.Tools)
	answer, err := a.ask(ctx, r, a.encode(r, names))
	if err != nil {
		return llm.Turn{}, err
	}
	if len(answer.Choices) == 0 {
		return llm.Turn{}, a.endpoint.Fail(message.New("llm.no_answer"))
	}
	return answer.turn(r, names), nil
}

// Models implements [llm.Adapter].
func (a *Adapter) Models(ctx context.Context) ([]string, error) {
	return a.endpoint.ListIDs(ctx, "/models")
}

type request struct {
	Model      string             `json:"model"`
	Messages   []chatMessage      `json:"messages"`
	Tools      []llm.FunctionTool `json:"tools,omitempty"`
	ToolChoice string             `json:"tool_choice,omitempty"`
	MaxTokens  int                `json:"max_completion_tokens"`

	Stream        bool           `json:"stream,omitempty"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"` // null beside calls
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a string with JSON; some servers send an object
}

func (a *Adapter) encode(r llm.Request, names llm.WireNames) request {
	out := request{Model: a.o.Model, MaxTokens: a.o.OutputLimit(r)}
	if r.System != "" {
		out.Messages = append(out.Messages, chatMessage{Role: "system", Content: &r.System})
	}
	for _, m := range llm.PrepareMessages(r.Messages) {
		if m.Role == llm.Tool {
			for _, result := range m.Results {
				out.Messages = append(out.Messages, chatMessage{Role: "tool", Content: &result.Content, ToolCallID: result.CallID})
			}
			continue
		}
		c := chatMessage{Role: string(m.Role)}
		if m.Text != "" {
			c.Content = &m.Text
		}
		for _, call := range m.Calls {
			c.ToolCalls = append(c.ToolCalls, toolCall{call.ID, "function", functionCall{
				names.Wire(call.Name), llm.Marshal(string(llm.Marshal(call.WireArgs()))),
			}})
		}
		out.Messages = append(out.Messages, c)
	}
	out.Tools = llm.FunctionTools(r.Tools, names)
	if len(out.Tools) > 0 {
		out.ToolChoice = "auto"
	}
	return out
}

type response struct {
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   usage    `json:"usage"`
}

type choice struct {
	FinishReason string        `json:"finish_reason"`
	Message      answerMessage `json:"message"`
}

type answerMessage struct {
	Content   string     `json:"content"`
	Refusal   string     `json:"refusal"`
	ToolCalls []toolCall `json:"tool_calls"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}

// finishes maps the protocol's words.
var finishes = map[string]llm.Finish{"tool_calls": llm.FinishCalls, "content_filter": llm.FinishFiltered}

func (p response) turn(r llm.Request, names llm.WireNames) llm.Turn {
	choice := p.Choices[0]
	t := llm.Turn{
		Provider: Name, Model: p.Model, Text: choice.Message.Content, Finish: llm.Finish(choice.FinishReason),
		Usage: llm.Usage{In: p.Usage.Prompt, Out: p.Usage.Completion},
	}
	if f, ok := finishes[choice.FinishReason]; ok {
		t.Finish = f
	}
	if choice.Message.Refusal != "" {
		t.Text, t.Finish = choice.Message.Refusal, llm.FinishFiltered
	}
	for _, c := range choice.Message.ToolCalls {
		args, malformed := llm.ParseArgs(c.Function.Arguments)
		t.Calls = append(t.Calls, llm.Call{ID: c.ID, Name: names.Tool(c.Function.Name), Args: args, Malformed: malformed})
	}
	llm.CompleteIDs(r, t.Calls)
	t.CutLast()
	return t
}
