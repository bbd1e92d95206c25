// Package sdk_test checks llmtest's server with the official SDKs of OpenAI and Anthropic: their types
// parse its answers, and it accepts their requests.
package sdk_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// want is an answer as both SDKs have it.
type want struct {
	answer            llmtest.Answer
	openai, anthropic string // why it ends
	args              []string
}

var answers = map[string]want{
	"text":          {llmtest.Answer{Text: "It is 42 — готово 📁.", Usage: llm.Usage{In: 120, Out: 9}}, "stop", "end_turn", nil},
	"two calls":     {llmtest.Answer{Calls: []llm.Call{{Name: "note.read", Args: map[string]any{"path": "/a"}}, {Name: "note.hash", Args: map[string]any{}}}, Usage: llm.Usage{In: 200, Out: 40}}, "tool_calls", "tool_use", []string{`{"path":"/a"}`, `{}`}},
	"text and call": {llmtest.Answer{Text: "Reading.", Calls: []llm.Call{{ID: "id_a", Name: "note.read", Args: map[string]any{"deep": []any{1.0, "две", nil}}}}}, "tool_calls", "tool_use", []string{`{"deep":[1,"две",null]}`}},
	"length":        {llmtest.Answer{Text: "It is", Finish: llm.FinishLength, Usage: llm.Usage{In: 1, Out: 1000}}, "length", "max_tokens", nil},
	"filtered":      {llmtest.Answer{Text: "I can't help with that.", Finish: llm.FinishFiltered}, "content_filter", "refusal", nil},
	"empty":         {llmtest.Answer{}, "stop", "end_turn", nil},
}

func TestOpenAI(t *testing.T) {
	for name, tt := range answers {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Start(t, llmtest.Script(tt.answer, llmtest.Answer{Text: "the end"}))
			client := openai.NewClient(option.WithBaseURL(server.BaseURL("openai")), option.WithAPIKey("key"), option.WithMaxRetries(0))
			params := openai.ChatCompletionNewParams{
				Model:    "model-1",
				Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("be brief"), openai.UserMessage("read /a")},
				Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
					Name: "note_read", Description: openai.String("reads"), Parameters: openai.FunctionParameters{"type": "object"},
				})},
			}
			got, err := client.Chat.Completions.New(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			choice := got.Choices[0]
			if choice.Message.Content != tt.answer.Text || choice.FinishReason != tt.openai || got.Usage.PromptTokens != int64(tt.answer.Usage.In) ||
				got.Usage.CompletionTokens != int64(tt.answer.Usage.Out) || got.Model != "model-1" || len(choice.Message.ToolCalls) != len(tt.args) {
				t.Errorf("answer = %s", got.RawJSON())
			}
			if extra := len(got.JSON.ExtraFields) + len(choice.JSON.ExtraFields) + len(choice.Message.JSON.ExtraFields); extra > 0 {
				t.Errorf("the answer has %d fields that OpenAI has not: %s", extra, got.RawJSON())
			}
			params.Messages = append(params.Messages, choice.Message.ToParam())
			for i, c := range choice.Message.ToolCalls {
				if c.Type != "function" || c.ID == "" || c.Function.Arguments != tt.args[i] {
					t.Errorf("call = %s", c.RawJSON())
				}
				params.Messages = append(params.Messages, openai.ToolMessage("result", c.ID))
			}
			if tt.answer.Text == "" && len(tt.args) == 0 {
				return // an empty message can't be sent back
			}
			if got, err = client.Chat.Completions.New(t.Context(), params); err != nil || got.Choices[0].Message.Content != "the end" {
				t.Errorf("the next turn: %v", err)
			}
		})
	}
}

func TestAnthropic(t *testing.T) {
	for name, tt := range answers {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Start(t, llmtest.Script(tt.answer, llmtest.Answer{Text: "the end"}))
			client := anthropic.NewClient(anthropicoption.WithBaseURL(server.BaseURL("anthropic")), anthropicoption.WithAPIKey("key"), anthropicoption.WithMaxRetries(0))
			params := anthropic.MessageNewParams{
				Model: "model-1", MaxTokens: 100,
				System:   []anthropic.TextBlockParam{{Text: "be brief"}},
				Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("read /a"))},
				Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
					Name: "note_read", Description: anthropic.String("reads"), InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{}},
				}}},
			}
			got, err := client.Messages.New(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			text, calls, results := "", 0, []anthropic.ContentBlockParamUnion{}
			for _, b := range got.Content {
				switch b.Type {
				case "text":
					text += b.Text
				case "tool_use":
					if !equal(b.Input, tt.args[calls]) || b.ID == "" {
						t.Errorf("call = %s", b.RawJSON())
					}
					calls++
					results = append(results, anthropic.NewToolResultBlock(b.ID, "result", false))
				}
			}
			if text != tt.answer.Text || string(got.StopReason) != tt.anthropic || got.Usage.InputTokens != int64(tt.answer.Usage.In) ||
				got.Usage.OutputTokens != int64(tt.answer.Usage.Out) || calls != len(tt.args) {
				t.Errorf("answer = %s", got.RawJSON())
			}
			if extra := len(got.JSON.ExtraFields) + len(got.Usage.JSON.ExtraFields); extra > 0 {
				t.Errorf("the answer has %d fields that Anthropic has not: %s", extra, got.RawJSON())
			}
			if len(got.Content) == 0 {
				return // an empty message can't be sent back
			}
			params.Messages = append(params.Messages, got.ToParam())
			if len(results) == 0 {
				results = append(results, anthropic.NewTextBlock("go on"))
			}
			params.Messages = append(params.Messages, anthropic.NewUserMessage(results...))
			if got, err = client.Messages.New(t.Context(), params); err != nil || got.Content[0].Text != "the end" {
				t.Errorf("the next turn: %v", err)
			}
		})
	}
}

// TestRefusals checks that the errors of the server are errors of the SDKs, and that the server refuses
// a call without its result.
func TestRefusals(t *testing.T) {
	server := llmtest.Start(t, llmtest.Script(llmtest.Answer{Status: 429}))
	client := openai.NewClient(option.WithBaseURL(server.BaseURL("openai")), option.WithAPIKey("key"), option.WithMaxRetries(0))
	params := openai.ChatCompletionNewParams{Model: "model-1", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("x")}}
	var apiError *openai.Error
	if _, err := client.Chat.Completions.New(t.Context(), params); !errors.As(err, &apiError) || apiError.StatusCode != 429 || apiError.Message == "" {
		t.Errorf("429: %v", err)
	}
	params.Messages = append(params.Messages, openai.ToolMessage("result", "unknown"))
	if _, err := client.Chat.Completions.New(t.Context(), params); !errors.As(err, &apiError) || apiError.StatusCode != 400 {
		t.Errorf("a result without its call: %v", err)
	}
	other := anthropic.NewClient(anthropicoption.WithBaseURL(server.BaseURL("anthropic")), anthropicoption.WithAPIKey("key"), anthropicoption.WithMaxRetries(0))
	var otherError *anthropic.Error
	_, err := other.Messages.New(t.Context(), anthropic.MessageNewParams{Model: "m", MaxTokens: 1, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewToolResultBlock("unknown", "x", false))}})
	if !errors.As(err, &otherError) || otherError.StatusCode != 400 {
		t.Errorf("a result without its call: %v", err)
	}
}

// equal compares JSON texts by their values.
func equal(got json.RawMessage, want string) bool {
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}
