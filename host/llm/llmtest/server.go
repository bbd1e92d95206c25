// Package llmtest has a server that speaks the protocols of the three providers, and the
// tests that every adapter passes. Only tests import it.
package llmtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"errand/host/llm"
)

// Answer is what the server answers to one request.
type Answer struct {
	Text  string
	Calls []llm.Call
	// Finish is in the words of [llm.Finish]; empty: as Text and Calls say.
	Finish llm.Finish
	Usage  llm.Usage

	Status int         // 0: 200
	Header http.Header // of the response
	Body   string      // in place of the answer as the provider writes it
	Cut    int         // bytes after which the connection ends; 0: it is complete
	Hang   bool        // until the client gives up
	Stream string      // in place of the answer as the provider streams it
	Stall  int         // bytes of a streamed answer after which nothing comes; 0: all come
	// Resume ends the pause after Stall bytes. Nil: it ends when the client gives up.
	Resume <-chan struct{}
	// NoStream answers at once, whatever the request asks for.
	NoStream bool
}

// Received is a request that the server got.
type Received struct {
	Provider string
	Path     string
	Header   http.Header
	Body     []byte
}

// Server answers at the paths of all three protocols. It may be used by several goroutines at
// once.
type Server struct {
	URL string // BaseURL of [llm.Options] for Anthropic and Ollama; OpenAI's has /v1 after it
	// Next returns the answer to the request with this number, which starts at 0.
	next func(n int, r Received) Answer

	mu       sync.Mutex
	received []Received
}

// Start starts a server that ends with the test. next returns the answer to the request with
// the number n, which starts at 0. Requests for the list of models are answered without it.
func Start(t testing.TB, next func(n int, r Received) Answer) *Server {
	s := &Server{next: next}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Script answers with the answers in their order, and with the last of them from then on.
func Script(answers ...Answer) func(int, Received) Answer {
	return func(n int, _ Received) Answer { return answers[min(n, len(answers)-1)] }
}

// Conversation answers with the answers in the order of a conversation's turns, whichever request
// asks for a turn, and with the last of them from then on.
func Conversation(answers ...Answer) func(int, Received) Answer {
	return func(_ int, r Received) Answer { return answers[min(r.Turn(), len(answers)-1)] }
}

// Turn is the number of turns in the conversation of the request.
func (r Received) Turn() int {
	return bytes.Count(r.Body, []byte(`"role":"assistant"`))
}

// BaseURL is the address of a provider's interface.
func (s *Server) BaseURL(provider string) string {
	if provider == "openai" {
		return s.URL + "/v1"
	}
	return s.URL
}

// Received returns the requests for answers so far.
func (s *Server) Received() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Received(nil), s.received...)
}

// protocols are the paths of the providers.
var protocols = map[string]struct {
	provider string
	models   string // the list of models; empty: answers
}{
	"/v1/chat/completions": {provider: "openai"}, "/v1/messages": {provider: "anthropic"}, "/api/chat": {provider: "ollama"},
	"/v1/models": {"openai", `{"object":"list","data":[{"id":"small","object":"model","type":"model"},{"id":"large","object":"model","type":"model"}],"has_more":false}`},
	"/api/tags":  {"ollama", `{"models":[{"name":"small","model":"small","size":1},{"name":"large","model":"large","size":2}]}`},
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, ok := protocols[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if p.models != "" && r.Method == http.MethodGet {
		if r.Header.Get("Authorization") == "" && r.Header.Get("X-Api-Key") == "" && p.provider != "ollama" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, p.models)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	got := Received{p.provider, r.URL.Path, r.Header.Clone(), body}
	s.mu.Lock()
	n := len(s.received)
	s.received = append(s.received, got)
	s.mu.Unlock()
	if fault := checkRequest(got); fault != "" {
		refuse(w, fault)
		return
	}
	s.next(n, got).write(w, r, got)
}

func (a Answer) write(w http.ResponseWriter, r *http.Request, got Received) {
	if a.Hang {
		<-r.Context().Done()
		return
	}
	body, contentType := a.Body, "application/json"
	if body == "" {
		body = a.encode(got.Provider)
	}
	if got.wantsStream() && a.Status < 400 && !a.NoStream {
		text, kind := streamOf(got.Provider, body)
		if text = cmp.Or(a.Stream, text); text != "" {
			body, contentType = text, kind
		}
	}
	for name, values := range a.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	if a.Cut > 0 && a.Cut < len(body) {
		io.WriteString(w, body[:a.Cut])
		panic(http.ErrAbortHandler) // ends the connection
	}
	if a.Stall > 0 && a.Stall < len(body) {
		io.WriteString(w, body[:a.Stall])
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-a.Resume:
			body = body[a.Stall:]
		}
	}
	io.WriteString(w, body)
}

// encode writes the answer as a provider does.
func (a Answer) encode(provider string) string {
	if a.Status >= 400 {
		return `{"error":{"type":"fault","message":"fault of the test"}}`
	}
	finish := a.Finish
	if finish == "" {
		finish = llm.FinishStop
		if len(a.Calls) > 0 {
			finish = llm.FinishCalls
		}
	}
	switch provider {
	case "openai":
		return a.encodeOpenAI(finish)
	case "anthropic":
		return a.encodeAnthropic(finish)
	}
	return a.encodeOllama(finish)
}

func (a Answer) encodeOpenAI(finish llm.Finish) string {
	words := map[llm.Finish]string{llm.FinishCalls: "tool_calls", llm.FinishFiltered: "content_filter"}
	m := map[string]any{"role": "assistant", "content": nil, "refusal": nil}
	if a.Text != "" {
		m["content"] = a.Text
	}
	var calls []any
	for i, c := range a.Calls {
		calls = append(calls, map[string]any{"id": callID(c, "call", i), "type": "function", "function": map[string]any{"name": wire(c.Name), "arguments": string(arguments(c))}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	return string(llm.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "model-1",
		"choices": []any{map[string]any{"index": 0, "message": m, "logprobs": nil, "finish_reason": word(words, finish)}},
		"usage":   map[string]any{"prompt_tokens": a.Usage.In, "completion_tokens": a.Usage.Out, "total_tokens": a.Usage.In + a.Usage.Out},
	}))
}

func (a Answer) encodeAnthropic(finish llm.Finish) string {
	words := map[llm.Finish]string{llm.FinishStop: "end_turn", llm.FinishCalls: "tool_use", llm.FinishLength: "max_tokens", llm.FinishFiltered: "refusal"}
	blocks := []any{}
	if a.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": a.Text, "citations": nil})
	}
	for i, c := range a.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": callID(c, "toolu", i), "name": wire(c.Name), "input": argumentsOf(c)})
	}
	return string(llm.Marshal(map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "model-1", "content": blocks,
		"stop_reason": word(words, finish), "stop_sequence": nil, "usage": map[string]any{"input_tokens": a.Usage.In, "output_tokens": a.Usage.Out},
	}))
}

func (a Answer) encodeOllama(finish llm.Finish) string {
	m := map[string]any{"role": "assistant", "content": a.Text}
	var calls []any
	for _, c := range a.Calls {
		calls = append(calls, map[string]any{"function": map[string]any{"name": wire(c.Name), "arguments": argumentsOf(c)}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	return string(llm.Marshal(map[string]any{
		"model": "model-1", "created_at": "2026-01-02T15:04:05Z", "message": m, "done": true,
		"done_reason":       word(map[llm.Finish]string{llm.FinishCalls: "stop"}, finish),
		"prompt_eval_count": a.Usage.In, "eval_count": a.Usage.Out, "total_duration": 1,
	}))
}

func word(words map[llm.Finish]string, f llm.Finish) string {
	if w, ok := words[f]; ok {
		return w
	}
	return string(f)
}

// wire spells a name as the adapters do where no two names are alike.
func wire(name string) string { return strings.ReplaceAll(name, ".", "_") }

func callID(c llm.Call, kind string, i int) string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf("%s_%d", kind, i)
}

// arguments are those of a call as JSON, which malformed ones are not.
func arguments(c llm.Call) json.RawMessage {
	if c.Malformed != "" {
		return json.RawMessage(c.Malformed)
	}
	return llm.Marshal(c.WireArgs())
}

// argumentsOf is the arguments of a call as a value. Where a protocol has no place for malformed
// ones, they are a text.
func argumentsOf(c llm.Call) any {
	if c.Malformed != "" {
		return c.Malformed
	}
	return c.WireArgs()
}
