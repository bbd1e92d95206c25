package llmtest

import (
	"context"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/llm"
)

// streaming is an adapter whose answers are all streamed.
type streaming struct{ llm.Adapter }

func (s streaming) Complete(ctx context.Context, r llm.Request) (llm.Turn, error) {
	if r.Partial == nil {
		r.Partial = func(string) {}
	}
	return s.Adapter.Complete(ctx, r)
}

// partsOf returns the answer to the conversation, and the parts of its text.
func partsOf(t *testing.T, a llm.Adapter) (turn llm.Turn, parts []string, err error) {
	t.Helper()
	r := conversation()
	r.Partial = func(text string) { parts = append(parts, text) }
	turn, err = a.Complete(t.Context(), r)
	return turn, parts, err
}

// testParts checks that a text comes in parts, each of them a beginning of the answer, and that a server
// that does not stream is understood.
func (s suite) testParts(t *testing.T) {
	const text = "It is 42 — готово 📁, and here is more."
	server := Start(t, Script(Answer{Text: text, Calls: []llm.Call{{ID: "a", Name: "note.hash", Args: map[string]any{"n": 1.0}}}, Usage: llm.Usage{In: 7, Out: 9}}))
	turn, parts, err := partsOf(t, s.adapter(server))
	must.Succeed(t, err)
	if turn.Text != text || len(turn.Calls) != 1 || turn.Usage != (llm.Usage{In: 7, Out: 9}) {
		t.Errorf("turn = %+v", turn)
	}
	if len(parts) < 5 || parts[len(parts)-1] != text {
		t.Errorf("parts = %q", parts)
	}
	for i, p := range parts {
		if !strings.HasPrefix(text, p) || i > 0 && len(p) <= len(parts[i-1]) {
			t.Errorf("part %d is %q after %q", i, p, parts[max(i-1, 0)])
		}
	}
	if body := string(server.Received()[0].Body); !strings.Contains(body, `"stream":true`) {
		t.Errorf("no stream was asked for: %s", body)
	}
	turn, _, err = partsOf(t, s.adapter(Start(t, Script(Answer{Text: text, NoStream: true}))))
	if err != nil || turn.Text != text {
		t.Errorf("a server that does not stream: %+v, %v", turn, err)
	}
}

// stream is an answer with a text and calls, as the provider streams it.
func (s suite) stream(t *testing.T) string {
	t.Helper()
	text, _ := streamOf(s.provider, string(must.ReadFile(t, filepath.Join("testdata", "text_call.json"))))
	if text == "" {
		t.Fatal("no stream")
	}
	return text
}

// testCutStream cuts a stream at many places, with and without its connection. It returns an error or
// the whole answer.
func (s suite) testCutStream(t *testing.T) {
	body := s.stream(t)
	want, _, err := partsOf(t, s.adapter(Start(t, Script(Answer{Stream: body}))))
	must.Succeed(t, err)
	failures := 0
	for cut := 1; cut < len(body); cut += 31 {
		for _, a := range []Answer{{Stream: body, Cut: cut}, {Stream: body[:cut]}} {
			got, _, err := partsOf(t, s.adapter(Start(t, Script(a))))
			if err != nil {
				failures++
				if f := failure(t, err); f.Reason != llm.Transient {
					t.Errorf("cut after %d bytes: %+v", cut, f)
				}
				continue
			}
			if got.Text != want.Text || !reflect.DeepEqual(got.Calls, want.Calls) {
				t.Errorf("cut after %d bytes, the answer is %+v", cut, got)
			}
		}
	}
	if failures < len(body)/31 {
		t.Errorf("%d cuts failed of a stream of %d bytes", failures, len(body))
	}
}

// testStalledStream checks that a stream that stops in the middle ends with the timeout.
func (s suite) testStalledStream(t *testing.T) {
	server := Start(t, Script(Answer{Stream: s.stream(t), Stall: 200}))
	a := s.open(llm.Options{BaseURL: server.BaseURL(s.provider), Model: "m", Timeout: 50 * time.Millisecond, Client: &http.Client{}})
	_, _, err := partsOf(t, a)
	if f := failure(t, err); f.Reason != llm.Transient {
		t.Errorf("a stalled stream: %+v", f)
	}
}

// testBrokenStream sends what is not a stream of the protocol.
func (s suite) testBrokenStream(t *testing.T) {
	body := s.stream(t)
	separator := "\n\n"
	if s.provider == "ollama" {
		separator = "\n"
	}
	events := strings.SplitAfter(body, separator)
	insert := func(event string) string {
		return strings.Join(events[:2], "") + event + separator + strings.Join(events[2:], "")
	}
	prefix := "data: "
	if s.provider == "ollama" {
		prefix = ""
	}
	for name, tt := range map[string]struct {
		stream string
		reason llm.Reason
		says   string
	}{
		"an event that is not JSON": {insert(prefix + `{"cut`), llm.Transient, ""},
		"an event that is a list":   {insert(prefix + `[1]`), llm.Transient, ""},
		"an error":                  {insert(prefix + `{"type":"error","error":{"type":"overloaded_error","message":"too busy ` + key + `"}}`), llm.Transient, "too busy"},
		"an error as a text":        {insert(prefix + `{"error":"out of memory"}`), llm.Transient, "out of memory"},
		"an endless event":          {insert(prefix + `"` + strings.Repeat("x", 9<<20)), llm.Rejected, ""},
		"nothing":                   {separator, llm.Transient, ""},
	} {
		_, _, err := partsOf(t, s.adapter(Start(t, Script(Answer{Stream: tt.stream}))))
		f := failure(t, err)
		if f.Reason != tt.reason || !strings.Contains(f.Error(), tt.says) || strings.Contains(f.Error(), key) {
			t.Errorf("%s: %+v, want %s", name, f, tt.reason)
		}
	}
	quiet := insert(": a comment")
	if s.provider == "ollama" {
		quiet = insert("")
	}
	if turn, _, err := partsOf(t, s.adapter(Start(t, Script(Answer{Stream: quiet})))); err != nil || turn.Text != "Reading." {
		t.Errorf("a stream with a comment: %+v, %v", turn, err)
	}
}
