package llmtest

import (
	"bytes"
	"encoding/json"
	"strings"

	"errand/host/llm"
)

// wantsStream reports whether a request asks for a streamed answer.
func (r Received) wantsStream() bool {
	var body struct {
		Stream bool `json:"stream"`
	}
	return json.Unmarshal(r.Body, &body) == nil && body.Stream
}

// streamOf writes a whole answer as the provider streams it, in small pieces. It returns "" for a text
// that is not an answer.
func streamOf(provider, body string) (text, contentType string) {
	switch provider {
	case "openai":
		return streamOpenAI(body), "text/event-stream"
	case "anthropic":
		return streamAnthropic(body), "text/event-stream"
	}
	return streamOllama(body), "application/x-ndjson"
}

// pieces cuts a text after every few characters.
func pieces(text string) (out []string) {
	const size = 5
	for runes := []rune(text); len(runes) > 0; {
		n := min(size, len(runes))
		out, runes = append(out, string(runes[:n])), runes[n:]
	}
	return out
}

type object = map[string]any

func streamOpenAI(body string) string {
	var whole struct {
		Model   string
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content, Refusal string
				ToolCalls        []struct {
					ID       string
					Function struct {
						Name      string
						Arguments json.RawMessage
					}
				} `json:"tool_calls"`
			}
		}
		Usage any
	}
	if json.Unmarshal([]byte(body), &whole) != nil || len(whole.Choices) == 0 {
		return ""
	}
	var out strings.Builder
	send := func(choices []any, usage any) {
		out.WriteString("data: " + string(llm.Marshal(object{
			"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": whole.Model, "choices": choices, "usage": usage,
		})) + "\n\n")
	}
	delta := func(d object) {
		send([]any{object{"index": 0, "delta": d, "logprobs": nil, "finish_reason": nil}}, nil)
	}
	delta(object{"role": "assistant", "content": ""})
	m := whole.Choices[0].Message
	for _, p := range pieces(m.Content) {
		delta(object{"content": p})
	}
	for _, p := range pieces(m.Refusal) {
		delta(object{"refusal": p})
	}
	for i, c := range m.ToolCalls {
		delta(object{"tool_calls": []any{object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Function.Name, "arguments": ""}}}})
		arguments := string(c.Function.Arguments)
		_ = json.Unmarshal(c.Function.Arguments, &arguments) // an object stays as it is
		for _, p := range pieces(arguments) {
			delta(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": p}}}})
		}
	}
	send([]any{object{"index": 0, "delta": object{}, "logprobs": nil, "finish_reason": whole.Choices[0].FinishReason}}, nil)
	send([]any{}, whole.Usage)
	return out.String() + "data: [DONE]\n\n"
}

func streamAnthropic(body string) string {
	var whole struct {
		Model   string
		Content []struct {
			Type, Text, ID, Name string
			Input                json.RawMessage
		}
		StopReason string `json:"stop_reason"`
		Usage      map[string]any
	}
	if json.Unmarshal([]byte(body), &whole) != nil || whole.StopReason == "" {
		return ""
	}
	var out strings.Builder
	send := func(kind string, event object) {
		event["type"] = kind
		out.WriteString("event: " + kind + "\ndata: " + string(llm.Marshal(event)) + "\n\n")
	}
	begun := object{}
	for name, n := range whole.Usage {
		begun[name] = n
	}
	begun["output_tokens"] = 1
	send("message_start", object{"message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": whole.Model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": begun,
	}})
	send("ping", object{})
	for i, b := range whole.Content {
		start, kind, field, text := object{"type": "text", "text": ""}, "text_delta", "text", b.Text
		if b.Type == "tool_use" {
			start = object{"type": "tool_use", "id": b.ID, "name": b.Name, "input": object{}}
			if kind, field, text = "input_json_delta", "partial_json", string(b.Input); text == "{}" {
				text = ""
			}
		}
		send("content_block_start", object{"index": i, "content_block": start})
		for _, p := range pieces(text) {
			send("content_block_delta", object{"index": i, "delta": object{"type": kind, field: p}})
		}
		send("content_block_stop", object{"index": i})
	}
	send("message_delta", object{"delta": object{"stop_reason": whole.StopReason, "stop_sequence": nil}, "usage": object{"output_tokens": whole.Usage["output_tokens"]}})
	send("message_stop", object{})
	return out.String()
}

func streamOllama(body string) string {
	var whole map[string]any
	if json.Unmarshal([]byte(body), &whole) != nil || whole["done"] != true {
		return ""
	}
	var raw struct {
		Message struct {
			Content   string
			ToolCalls json.RawMessage `json:"tool_calls"`
		}
	}
	if json.Unmarshal([]byte(body), &raw) != nil {
		return ""
	}
	var out bytes.Buffer
	send := func(message object) {
		message["role"] = "assistant"
		out.Write(append(llm.Marshal(object{"model": whole["model"], "created_at": whole["created_at"], "message": message, "done": false}), '\n'))
	}
	for _, p := range pieces(raw.Message.Content) {
		send(object{"content": p})
	}
	if len(raw.Message.ToolCalls) > 0 {
		calls := strings.ReplaceAll(string(raw.Message.ToolCalls), "\n", "") // as it is, also where a key is twice
		out.WriteString(`{"model":"model-1","message":{"role":"assistant","content":"","tool_calls":` + calls + `},"done":false}` + "\n")
	}
	whole["message"] = object{"role": "assistant", "content": ""}
	out.Write(append(llm.Marshal(whole), '\n'))
	return out.String()
}
