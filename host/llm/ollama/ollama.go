// Package ollama speaks the chat protocol of Ollama, which runs models on this machine.
package ollama

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"errand/host/llm"
	"errand/planner/message"
)

// Name is the provider's name in the configuration.
const Name = "ollama"

// Adapter implements [llm.Adapter].
type Adapter struct {
	o        llm.Options
	endpoint llm.Endpoint
}

// New makes an adapter. It sends nothing.
func New(o llm.Options) *Adapter {
	header := http.Header{}
	if o.Key != "" { // of a proxy before it
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
	if !answer.Done {
		return llm.Turn{}, a.endpoint.Fail(message.New("llm.no_answer"))
	}
	return answer.turn(r, names), nil
}

// Models implements [llm.Adapter].
func (a *Adapter) Models(ctx context.Context) ([]string, error) {
	var answer struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if err := a.endpoint.Exchange(ctx, "/api/tags", nil, &answer); err != nil {
		return nil, err
	}
	names := make([]string, len(answer.Models))
	for i, m := range answer.Models {
		names[i] = m.Name
	}
	slices.Sort(names)
	return names, nil
}

type request struct {
	Model    string             `json:"model"`
	Messages []chatMessage      `json:"messages"`
	Tools    []llm.FunctionTool `json:"tools,omitempty"`
	Stream   bool               `json:"stream"`
	Options  options            `json:"options"`
}

type options struct {
	NumPredict int `json:"num_predict"`
}

type chatMessage struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	ToolName  string     `json:"tool_name,omitempty"`
}

type toolCall struct {
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // an object
}

func (a *Adapter) encode(r llm.Request, names llm.WireNames) request {
	out := request{Model: a.o.Model, Options: options{a.o.OutputLimit(r)}}
	if r.System != "" {
		out.Messages = append(out.Messages, chatMessage{Role: "system", Content: r.System})
	}
	for _, m := range llm.PrepareMessages(r.Messages) {
		if m.Role == llm.Tool {
			for _, result := range m.Results {
				out.Messages = append(out.Messages, chatMessage{Role: "tool", Content: result.Content, ToolName: names.Wire(result.Name)})
			}
			continue
		}
		c := chatMessage{Role: string(m.Role), Content: m.Text}
		for _, call := range m.Calls {
			c.ToolCalls = append(c.ToolCalls, toolCall{functionCall{names.Wire(call.Name), llm.Marshal(call.WireArgs())}})
		}
		out.Messages = append(out.Messages, c)
	}
	out.Tools = llm.FunctionTools(r.Tools, names)
	return out
}

type response struct {
	Model   string `json:"model"`
	Message struct {
		Content   string     `json:"content"`
		ToolCalls []toolCall `json:"tool_calls"`
	} `json:"message"`
	Done       bool   `json:"done"`
	DoneReason string `json:"done_reason"`
	In         int    `json:"prompt_eval_count"`
	Out        int    `json:"eval_count"`
}

func (p response) turn(r llm.Request, names llm.WireNames) llm.Turn {
	t := llm.Turn{
		Provider: Name, Model: p.Model, Text: p.Message.Content, Finish: llm.Finish(p.DoneReason), Usage: llm.Usage{In: p.In, Out: p.Out},
	}
	for _, c := range p.Message.ToolCalls {
		args, malformed := llm.ParseArgs(c.Function.Arguments)
		t.Calls = append(t.Calls, llm.Call{Name: names.Tool(c.Function.Name), Args: args, Malformed: malformed})
	}
	if len(t.Calls) > 0 && t.Finish == llm.FinishStop { // it has no word of its own for calls
		t.Finish = llm.FinishCalls
	}
	llm.CompleteIDs(r, t.Calls)
	t.CutLast()
	return t
}
