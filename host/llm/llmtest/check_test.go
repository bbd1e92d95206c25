package llmtest

import (
	"net/http"
	"strings"
	"testing"
)

// TestCheckRequest checks that the server refuses what providers refuse.
func TestCheckRequest(t *testing.T) {
	version := http.Header{"Anthropic-Version": {"2023-06-01"}}
	chat := func(messages string) string { return `{"model":"m","messages":[` + messages + `]}` }
	blocks := func(messages string) string { return `{"model":"m","max_tokens":9,"messages":[` + messages + `]}` }
	const user = `{"role":"user","content":"x"}`
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	use := `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
	for _, tt := range []struct{ name, provider, body, want string }{
		{"a text", "openai", chat(user), ""},
		{"not JSON", "openai", "x", "invalid character"},
		{"no model", "openai", `{"messages":[` + user + `]}`, "model"},
		{"no messages", "ollama", chat(""), "messages"},
		{"a call with its result", "openai", chat(user + "," + call + `,{"role":"tool","tool_call_id":"a","content":"1"}`), ""},
		{"a call without a result", "openai", chat(user + "," + call), "no results"},
		{"a result after a text", "openai", chat(user + "," + call + "," + user), "no results"},
		{"a result of another call", "openai", chat(user + "," + call + `,{"role":"tool","tool_call_id":"b","content":"1"}`), "without its call"},
		{"a name with a dot", "openai", chat(user + "," + strings.Replace(call, `"f"`, `"f.g"`, 1)), "call of"},
		{"arguments as an object", "openai", chat(user + "," + strings.Replace(call, `"{}"`, `{}`, 1)), "call a"},
		{"no content", "openai", chat(`{"role":"user"}`), "no content"},
		{"a tool's name with a dot", "openai", `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"a.b","parameters":{"type":"object"}}}]}`, "tools.0: name"},
		{"alternatives", "openai", `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object","oneOf":[]}}}]}`, "schema"},
		{"arguments as a text", "ollama", chat(user + "," + call), "not an object"},
		{"blocks", "anthropic", blocks(user + "," + use + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"text","text":"x"}]}`), ""},
		{"no limit of tokens", "anthropic", chat(user), "max_tokens"},
		{"a result after a text block", "anthropic", blocks(user + "," + use + `,{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"a","content":"1"}]}`), "no results"},
		{"a missing result", "anthropic", blocks(user + "," + use + "," + user), "no results"},
		{"the assistant begins", "anthropic", blocks(`{"role":"assistant","content":"x"}`), "role"},
		{"an empty text", "anthropic", blocks(`{"role":"user","content":""}`), "block text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := checkRequest(Received{Provider: tt.provider, Header: version, Body: []byte(tt.body)})
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("fault = %q, want %q", got, tt.want)
			}
		})
	}
	if got := checkRequest(Received{Provider: "anthropic", Header: http.Header{}, Body: []byte(blocks(user))}); got == "" {
		t.Error("a request without a version was accepted")
	}
}
