package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
)

// checkRequest says what a provider would refuse in a request; "" if nothing.
func checkRequest(r Received) string {
	var body struct {
		Model      string            `json:"model"`
		MaxTokens  int               `json:"max_tokens"`
		Messages   []json.RawMessage `json:"messages"`
		Tools      []json.RawMessage `json:"tools"`
		ToolChoice json.RawMessage   `json:"tool_choice"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return err.Error()
	}
	switch {
	case body.Model == "":
		return "model: missing"
	case len(body.Messages) == 0:
		return "messages: missing"
	case body.ToolChoice != nil && len(body.Tools) == 0:
		return "tool_choice: there are no tools"
	case r.Provider == "anthropic" && body.MaxTokens < 1:
		return "max_tokens: missing"
	case r.Provider == "anthropic" && r.Header.Get("Anthropic-Version") == "":
		return "anthropic-version: missing"
	}
	names := map[string]bool{}
	for i, text := range body.Tools {
		if fault := checkTool(r.Provider, text, names); fault != "" {
			return fmt.Sprintf("tools.%d: %s", i, fault)
		}
	}
	if r.Provider == "anthropic" {
		return checkBlocks(body.Messages)
	}
	return checkChat(r.Provider, body.Messages)
}

var toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

func checkTool(provider string, text json.RawMessage, names map[string]bool) string {
	var t struct {
		Type        string         `json:"type"`
		Name        string         `json:"name"`
		InputSchema map[string]any `json:"input_schema"`
		Function    struct {
			Name       string         `json:"name"`
			Parameters map[string]any `json:"parameters"`
		} `json:"function"`
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return err.Error()
	}
	name, schema := t.Name, t.InputSchema
	if provider != "anthropic" {
		if name, schema = t.Function.Name, t.Function.Parameters; t.Type != "function" {
			return "type: not a function"
		}
	}
	if !toolName().MatchString(name) || names[name] {
		return "name: " + name
	}
	names[name] = true
	if schema["type"] != "object" || schema["oneOf"] != nil || schema["anyOf"] != nil || schema["allOf"] != nil {
		return "schema: not a plain object"
	}
	return ""
}

// checkChat checks the messages of OpenAI and Ollama: the calls of a message are answered by the
// messages after it.
func checkChat(provider string, messages []json.RawMessage) string {
	var open []string // calls without a result, by id; for Ollama by name
	for i, text := range messages {
		var m struct {
			Role       string          `json:"role"`
			Content    json.RawMessage `json:"content"`
			ToolCallID string          `json:"tool_call_id"`
			ToolName   string          `json:"tool_name"`
			ToolCalls  []struct {
				ID       string `json:"id"`
				Type     string `json:"type"`
				Function struct {
					Name      string          `json:"name"`
					Arguments json.RawMessage `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return err.Error()
		}
		fault := ""
		switch result := m.ToolCallID + m.ToolName; {
		case !slices.Contains([]string{"system", "developer", "user", "assistant", "tool"}, m.Role):
			fault = "role " + m.Role
		case m.Role == "tool" && !slices.Contains(open, result):
			fault = "a result without its call"
		case m.Role == "tool":
			open = slices.Delete(open, slices.Index(open, result), slices.Index(open, result)+1)
		case len(open) > 0:
			fault = "calls before it have no results"
		case len(m.ToolCalls) == 0 && (len(m.Content) == 0 || string(m.Content) == "null"):
			fault = "no content"
		}
		for _, c := range m.ToolCalls {
			isText := len(c.Function.Arguments) > 0 && c.Function.Arguments[0] == '"'
			switch {
			case m.Role != "assistant" || !toolName().MatchString(c.Function.Name):
				fault = "call of " + c.Function.Name
			case provider == "openai" && (c.ID == "" || c.Type != "function" || !isText):
				fault = "call " + c.ID
			case provider == "ollama" && (len(c.Function.Arguments) == 0 || c.Function.Arguments[0] != '{'):
				fault = "arguments that are not an object"
			case provider == "openai":
				open = append(open, c.ID)
			default:
				open = append(open, c.Function.Name)
			}
		}
		if fault != "" {
			return fmt.Sprintf("messages.%d: %s", i, fault)
		}
	}
	if len(open) > 0 {
		return "messages: calls have no results"
	}
	return ""
}

var blockID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_-]+$`) })

// checkBlocks checks the messages of Anthropic: the results of a message's calls are the first blocks
// of the next one.
func checkBlocks(messages []json.RawMessage) string {
	var open []string
	for i, text := range messages {
		var m struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return err.Error()
		}
		type block struct {
			Type      string         `json:"type"`
			Text      string         `json:"text"`
			ID        string         `json:"id"`
			Name      string         `json:"name"`
			Input     map[string]any `json:"input"`
			ToolUseID string         `json:"tool_use_id"`
		}
		var blocks []block
		var plain string
		if json.Unmarshal(m.Content, &plain) == nil {
			blocks = []block{{Type: "text", Text: plain}}
		} else if err := json.Unmarshal(m.Content, &blocks); err != nil {
			return err.Error()
		}
		waiting := open
		open = nil
		fault := ""
		if i == 0 && m.Role != "user" || m.Role != "user" && m.Role != "assistant" || len(blocks) == 0 {
			fault = "role " + m.Role
		}
		for _, b := range blocks {
			switch {
			case b.Type == "tool_result" && m.Role == "user" && slices.Contains(waiting, b.ToolUseID):
				at := slices.Index(waiting, b.ToolUseID)
				waiting = slices.Delete(slices.Clone(waiting), at, at+1)
			case len(waiting) > 0:
				fault = "calls before it have no results"
			case b.Type == "text" && b.Text != "":
			case b.Type == "tool_use" && m.Role == "assistant" && blockID().MatchString(b.ID) && toolName().MatchString(b.Name) && b.Input != nil:
				open = append(open, b.ID)
			default:
				fault = "block " + b.Type
			}
		}
		if fault != "" || len(waiting) > 0 {
			return fmt.Sprintf("messages.%d: %s", i, fault)
		}
	}
	if len(open) > 0 {
		return "messages: calls have no results"
	}
	return ""
}

// refuse answers as a provider does to a request that it can't read.
func refuse(w http.ResponseWriter, fault string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": fault}})
}
