package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/llm"
	"errand/host/tool"
)

// key is the key of the tests. No error may have it.
const key = "key-of-the-test-0123456789"

// Run tests an adapter. The folder testdata of the test has a recorded answer for each of
// [answers], and the request for [conversation], which update writes.
func Run(t *testing.T, open func(llm.Options) llm.Adapter, update bool) {
	provider := open(llm.Options{Client: http.DefaultClient}).Name()
	s := suite{provider, open, update}
	t.Run("Answers", s.testAnswers)
	t.Run("Request", s.testRequest)
	t.Run("LargeResult", s.testLargeResult)
	t.Run("Failures", s.testFailures)
	t.Run("CutBody", s.testCutBody)
	t.Run("Slow", s.testSlow)
	t.Run("Key", s.testKey)
	t.Run("Models", s.testModels)
	t.Run("Chain", s.testChain)
	t.Run("Streamed", func(t *testing.T) {
		s.open = func(o llm.Options) llm.Adapter { return streaming{open(o)} }
		t.Run("Answers", s.testAnswers)
		t.Run("LargeResult", s.testLargeResult)
		t.Run("Failures", s.testFailures)
		t.Run("Slow", s.testSlow)
		t.Run("Key", s.testKey)
		t.Run("Chain", s.testChain)
		s.open = open
		t.Run("Parts", s.testParts)
		t.Run("CutStream", s.testCutStream)
		t.Run("StalledStream", s.testStalledStream)
		t.Run("BrokenStream", s.testBrokenStream)
	})
}

type suite struct {
	provider string
	open     func(llm.Options) llm.Adapter
	update   bool
}

func (s suite) adapter(server *Server) llm.Adapter {
	return s.open(llm.Options{
		BaseURL: server.BaseURL(s.provider) + "/", Model: "model-1", Key: key, KeyEnv: "TEST_KEY", Timeout: 10 * time.Second,
		MaxOutput: 1000, Client: &http.Client{},
	})
}

// tools are those of all requests. Two of them have the same name in the spelling of providers.
var tools = []tool.Spec{
	{Name: "note.read", Description: "reads", ArgsSchema: json.RawMessage(`{"$schema":"x","type":"object","properties":{"path":{"type":"string","x-path":"read","writeOnly":true}},"required":["path"],"additionalProperties":false}`)},
	{Name: "note_read", Description: "reads too", ArgsSchema: json.RawMessage(`{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`)},
	{Name: "note.hash", ArgsSchema: json.RawMessage(`{"type":"object"}`)},
}

// conversation has what is hard for some of the protocols: two messages of one author, text
// beside calls, results in another order than their calls, a missing one and a foreign one,
// malformed arguments, ids of the engine, and an empty message.
func conversation() llm.Request {
	return llm.Request{
		System: "Be brief & <exact>.",
		Messages: []llm.Message{
			{Role: llm.User, Text: "Прочитай два файла 📁"},
			{Role: llm.User, Text: "and hash them"},
			{Role: llm.Assistant, Text: "Reading.", Calls: []llm.Call{
				{ID: "t1.1", Name: "note.read", Args: map[string]any{"path": "/a \"b\""}}, {ID: "t1.2", Name: "note_read", Args: map[string]any{}},
			}},
			{Role: llm.Tool, Results: []llm.Result{
				{CallID: "foreign", Name: "x", Content: "never sent"}, {CallID: "t1.2", Name: "note_read", Content: "second", IsError: true}, {CallID: "t1.1", Name: "note.read", Content: "first"},
			}},
			{Role: llm.Assistant},
			{Role: llm.Assistant, Calls: []llm.Call{{ID: "t2.1", Name: "note.hash", Malformed: `{"x":`}, {ID: "t2.1", Name: "gone.tool", Args: map[string]any{"n": 1.5}}}},
			{Role: llm.User, Text: "go on"},
		},
		Tools: tools,
	}
}

// answers are the recorded answers, and what each says.
var answers = map[string]llm.Turn{
	"text":      {Text: "It is 42 — готово 📁.", Finish: llm.FinishStop, Usage: llm.Usage{In: 120, Out: 9}},
	"two_calls": {Calls: []llm.Call{{ID: "id_a", Name: "note.read", Args: map[string]any{"path": "/a", "n": 2.0}}, {ID: "id_b", Name: "note.hash", Args: map[string]any{}}}, Finish: llm.FinishCalls, Usage: llm.Usage{In: 200, Out: 40}},
	"text_call": {Text: "Reading.", Calls: []llm.Call{{ID: "id_a", Name: "note_read", Args: map[string]any{"deep": map[string]any{"list": []any{1.0, "две", nil}}}}}, Finish: llm.FinishCalls, Usage: llm.Usage{In: 1, Out: 2}},
	"malformed": {Calls: []llm.Call{{ID: "id_a", Name: "note.read", Malformed: `["not", "an object"]`}, {ID: "id_b", Name: "note.read", Malformed: `{"path": "/a", "path": "/b"}`}}, Finish: llm.FinishCalls, Usage: llm.Usage{In: 1, Out: 2}},
	"length":    {Calls: []llm.Call{{ID: "id_a", Name: "note.read", Args: map[string]any{"path": "/a"}}, {ID: "id_b", Name: "note.read", Malformed: `{"path":"/b"}`}}, Finish: llm.FinishLength, Usage: llm.Usage{In: 1, Out: 1000}},
	"no_ids":    {Calls: []llm.Call{{ID: "call_4_1", Name: "note.read", Args: map[string]any{"path": "/a"}}, {ID: "call_4_2", Name: "unknown.tool!", Args: map[string]any{}}}, Finish: llm.FinishCalls, Usage: llm.Usage{In: 1, Out: 2}},
	"filtered":  {Text: "I can't help with that.", Finish: llm.FinishFiltered, Usage: llm.Usage{In: 1, Out: 2}},
	"empty":     {Finish: llm.FinishStop, Usage: llm.Usage{In: 1, Out: 0}},
}

func (s suite) testAnswers(t *testing.T) {
	for name, want := range answers {
		t.Run(name, func(t *testing.T) {
			body := string(must.ReadFile(t, filepath.Join("testdata", name+".json")))
			a := s.adapter(Start(t, Script(Answer{Body: body})))
			request := conversation()
			got, err := a.Complete(t.Context(), request)
			must.Succeed(t, err)
			want.Provider, want.Model = s.provider, "model-1-2026"
			if s.provider == "ollama" {
				adjust(&want)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if !reflect.DeepEqual(request, conversation()) {
				t.Error("the request was changed")
			}
		})
	}
}

// adjust changes an answer to what Ollama's protocol has of it: calls have no ids, and there
// is no word for a refusal.
func adjust(want *llm.Turn) {
	calls := append([]llm.Call(nil), want.Calls...)
	for i := range calls {
		calls[i].ID = []string{"call_4_1", "call_4_2"}[i]
	}
	if want.Calls = calls; calls == nil {
		want.Calls = nil
	}
	if want.Finish == llm.FinishFiltered {
		want.Finish = llm.FinishStop
	}
}

func (s suite) testRequest(t *testing.T) {
	server := Start(t, Script(Answer{Text: "done"}))
	_, err := s.adapter(server).Complete(t.Context(), conversation())
	must.Succeed(t, err)
	var body any
	must.Succeed(t, json.Unmarshal(server.Received()[0].Body, &body))
	got, err := json.MarshalIndent(body, "", "  ")
	must.Succeed(t, err)
	file := filepath.Join("testdata", "request.json")
	if s.update {
		must.Succeed(t, os.WriteFile(file, append(got, '\n'), 0o644))
	}
	if want := string(must.ReadFile(t, file)); string(got)+"\n" != want {
		t.Errorf("the request is\n%s\nwant\n%s", got, want)
	}
}

func (s suite) testLargeResult(t *testing.T) {
	large := strings.Repeat("строка <&> \"text\"\n", 4000) // more than 100 KB
	r := llm.Request{Messages: []llm.Message{
		{Role: llm.User, Text: "read"},
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "a", Name: "note.read", Args: map[string]any{}}}},
		{Role: llm.Tool, Results: []llm.Result{{CallID: "a", Name: "note.read", Content: large}}},
	}, Tools: tools}
	server := Start(t, Script(Answer{Text: large}))
	got, err := s.adapter(server).Complete(t.Context(), r)
	must.Succeed(t, err)
	if got.Text != large {
		t.Errorf("the answer has %d bytes, want %d", len(got.Text), len(large))
	}
	if body := string(server.Received()[0].Body); !strings.Contains(body, strings.TrimSuffix(string(llm.Marshal(large)[1:]), `"`)) {
		t.Error("the result was changed on its way")
	}
}

func (s suite) testFailures(t *testing.T) {
	seconds := func(v string) http.Header { return http.Header{"Retry-After": {v}} }
	for name, tt := range map[string]struct {
		answer Answer
		reason llm.Reason
		status int
		wait   time.Duration
	}{
		"429 with a short wait":      {Answer{Status: 429, Header: seconds("3")}, llm.Transient, 429, 3 * time.Second},
		"429 with a long wait":       {Answer{Status: 429, Header: seconds("3600")}, llm.Transient, 429, time.Hour},
		"429 with a wait in ms":      {Answer{Status: 429, Header: http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}}}, llm.Transient, 429, 1500 * time.Millisecond},
		"429 with a past date":       {Answer{Status: 429, Header: seconds("Mon, 02 Jan 2006 15:04:05 GMT")}, llm.Transient, 429, 0},
		"429 with a negative wait":   {Answer{Status: 429, Header: seconds("-5")}, llm.Transient, 429, 0},
		"429 with an endless wait":   {Answer{Status: 429, Header: seconds("1e300")}, llm.Transient, 429, 24 * time.Hour},
		"429 with words":             {Answer{Status: 429, Header: seconds("soon")}, llm.Transient, 429, 0},
		"500":                        {Answer{Status: 500}, llm.Transient, 500, 0},
		"502 with a page":            {Answer{Status: 502, Body: "<html>bad gateway</html>"}, llm.Transient, 502, 0},
		"503":                        {Answer{Status: 503, Header: seconds("1")}, llm.Transient, 503, time.Second},
		"529":                        {Answer{Status: 529}, llm.Transient, 529, 0},
		"408":                        {Answer{Status: 408}, llm.Transient, 408, 0},
		"400":                        {Answer{Status: 400}, llm.Rejected, 400, 0},
		"404":                        {Answer{Status: 404, Body: `{"error":"model 'x' not found"}`}, llm.Rejected, 404, 0},
		"422":                        {Answer{Status: 422}, llm.Rejected, 422, 0},
		"401":                        {Answer{Status: 401}, llm.Unauthorized, 401, 0},
		"403":                        {Answer{Status: 403}, llm.Unauthorized, 403, 0},
		"204":                        {Answer{Status: 204}, llm.Rejected, 204, 0},
		"a text that is not JSON":    {Answer{Body: "<html>a page of a proxy</html>"}, llm.Transient, 200, 0},
		"an empty object":            {Answer{Body: "{}"}, llm.Transient, 200, 0},
		"null":                       {Answer{Body: "null"}, llm.Transient, 200, 0},
		"a list":                     {Answer{Body: "[]"}, llm.Transient, 200, 0},
		"other types than described": {Answer{Body: `{"choices":7,"content":7,"message":7}`}, llm.Transient, 200, 0},
		"an answer that is too long": {Answer{Body: `"` + strings.Repeat("x", 9<<20) + `"`}, llm.Rejected, 200, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.adapter(Start(t, Script(tt.answer))).Complete(t.Context(), conversation())
			f := failure(t, err)
			if f.Reason != tt.reason || f.Status != tt.status || f.RetryAfter != tt.wait || f.Provider != s.provider {
				t.Errorf("failure = %+v, want %s %d %s", f, tt.reason, tt.status, tt.wait)
			}
			e := tool.AsError(err)
			if e.Class != tool.ToolUnavailable || e.Code != llm.CodeProviderError || e.Retriable != (tt.reason == llm.Transient) {
				t.Errorf("error = %+v", e)
			}
			if tt.status == 404 && (!strings.Contains(e.Details[0], "model 'x' not found") || e.Hint.IsZero()) {
				t.Errorf("the provider's words are lost: %+v", e)
			}
		})
	}
}

// testCutBody cuts each recorded answer at many places: none of them is an answer.
func (s suite) testCutBody(t *testing.T) {
	body := string(must.ReadFile(t, filepath.Join("testdata", "two_calls.json")))
	for cut := 1; cut < len(body)-2; cut += 37 { // a line break is at the end
		_, err := s.adapter(Start(t, Script(Answer{Body: body, Cut: cut}))).Complete(t.Context(), conversation())
		if f := failure(t, err); f.Reason != llm.Transient {
			t.Errorf("cut after %d bytes: %+v", cut, f)
		}
	}
}

func (s suite) testSlow(t *testing.T) {
	server := Start(t, Script(Answer{Hang: true}))
	a := s.open(llm.Options{BaseURL: server.BaseURL(s.provider), Model: "m", Timeout: 20 * time.Millisecond, Client: &http.Client{}})
	_, err := a.Complete(t.Context(), conversation())
	if f := failure(t, err); f.Reason != llm.Transient || f.Status != 0 {
		t.Errorf("after the timeout: %+v", f)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.adapter(server).Complete(ctx, conversation()); !errors.Is(err, context.DeadlineExceeded) || tool.AsError(err).Code == llm.CodeProviderError {
		t.Errorf("after the caller's deadline: %v", err)
	}
	gone := s.open(llm.Options{BaseURL: "http://127.0.0.1:1", Model: "m", Client: &http.Client{}})
	if _, err := gone.Complete(t.Context(), conversation()); failure(t, err).Reason != llm.Transient {
		t.Errorf("without a server: %v", err)
	}
}

// testKey checks that the key is sent in a header, and that no error repeats it.
func (s suite) testKey(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 500, 200} {
		server := Start(t, Script(Answer{Status: status, Body: `{"error":{"message":"bad key ` + key + `"},"choices":"` + key + `"}`}))
		_, err := s.adapter(server).Complete(t.Context(), conversation())
		e := tool.AsError(failure(t, err))
		text, marshalErr := json.Marshal(e)
		must.Succeed(t, marshalErr)
		if strings.Contains(string(text)+err.Error()+strings.Join(e.Details, ""), key) {
			t.Errorf("%d: the error has the key: %s", status, text)
		}
		if status == 401 && (e.Hint.IsZero() || !strings.Contains(e.Hint.String(), "TEST_KEY")) {
			t.Errorf("the hint does not name the variable: %s", e.Hint)
		}
		got := server.Received()[0]
		sent := got.Header.Get("Authorization") == "Bearer "+key || got.Header.Get("X-Api-Key") == key
		if !sent || strings.Contains(string(got.Body), key) {
			t.Errorf("the key is not in its header, or in the body: %v", got.Header)
		}
	}
}

func (s suite) testModels(t *testing.T) {
	server := Start(t, Script(Answer{}))
	got, err := s.adapter(server).Models(t.Context())
	must.Succeed(t, err)
	if !reflect.DeepEqual(got, []string{"large", "small"}) {
		t.Errorf("models = %q", got)
	}
}

// testChain runs a conversation of three turns through a chain, with a failure in each.
func (s suite) testChain(t *testing.T) {
	read := llm.Call{Name: "note.read", Args: map[string]any{"path": "/a"}}
	short := http.Header{"Retry-After-Ms": {"1"}}
	server := Start(t, Script(
		Answer{Status: 503, Header: short}, Answer{Calls: []llm.Call{read, read}, Usage: llm.Usage{In: 5, Out: 6}},
		Answer{Status: 429, Header: short}, Answer{Text: "the end"},
	))
	var attempts []llm.Attempt
	chain := llm.Chain{Adapters: []llm.Adapter{s.adapter(server)}, Attempted: func(a llm.Attempt) { attempts = append(attempts, a) }}
	r := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "read"}}, Tools: tools}
	first, err := chain.Complete(t.Context(), 1, r)
	must.Succeed(t, err)
	if len(first.Calls) != 2 || first.Calls[0].Name != "note.read" || first.Calls[0].ID == first.Calls[1].ID {
		t.Fatalf("calls = %+v", first.Calls)
	}
	results := []llm.Result{{CallID: first.Calls[1].ID, Content: "2"}, {CallID: first.Calls[0].ID, Content: "1"}}
	r.Messages = append(r.Messages, first.Message(), llm.Message{Role: llm.Tool, Results: results})
	second, err := chain.Complete(t.Context(), 2, r)
	must.Succeed(t, err)
	if second.Text != "the end" || len(attempts) != 4 || attempts[0].Status != 503 || attempts[1].Usage.Out != 6 || attempts[3].Turn != 2 || attempts[3].Attempt != 2 {
		t.Errorf("%q after %+v", second.Text, attempts)
	}
	if body := string(server.Received()[3].Body); strings.Index(body, `"1"`) > strings.Index(body, `"2"`) {
		t.Errorf("results are not in the order of their calls: %s", body)
	}
}

func failure(t *testing.T, err error) *llm.Failure {
	t.Helper()
	f, ok := errors.AsType[*llm.Failure](err)
	if !ok {
		t.Fatalf("%v is not a failure", err)
	}
	return f
}
