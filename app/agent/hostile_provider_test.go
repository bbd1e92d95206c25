package agent_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/llm"
	"errand/host/tool"
)

// TestHostileProvider: a server that answers without an end, too much or elsewhere ends the turn in time,
// and the key goes nowhere else.
func TestHostileProvider(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	const timeout = 1500 * time.Millisecond
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request){
		"a byte at a time": func(w http.ResponseWriter, r *http.Request) {
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for {
				if _, err := io.WriteString(w, " "); err != nil || http.NewResponseController(w).Flush() != nil {
					return
				}
				select {
				case <-r.Context().Done():
					return
				case <-tick.C:
				}
			}
		},
		"without an end": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"choices": "`)
			for chunk := strings.Repeat("x", 1<<20); ; {
				if _, err := io.WriteString(w, chunk); err != nil {
					return
				}
			}
		},
		"packed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for chunk := strings.Repeat(" ", 1<<20); ; {
				if _, err := io.WriteString(z, chunk); err != nil {
					return
				}
			}
		},
		"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/v1/chat/completions", http.StatusTemporaryRedirect)
		},
		"the key in an error": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error": {"message": "bad \u001b[2J key %s in %v"}}`, key, r.Header)
		},
		"the key in a header": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1e308")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, key)
		},
		"deep": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"choices":`+strings.Repeat("[", 4<<20))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that the client is gone
				answer(w, r)
			}))
			t.Cleanup(server.Close)
			p := open(t, "OPENAI_API_KEY="+key, "ERRAND_LLM_OPENAI_BASE_URL="+server.URL+"/v1", fmt.Sprint("ERRAND_LLM_OPENAI_TIMEOUT_MS=", timeout.Milliseconds()))
			a, err := p.Open(t.Context(), "openai", nil)
			must.Succeed(t, err)
			start := time.Now()
			_, err = a.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}})
			if err == nil {
				t.Fatal("it was taken for an answer")
			}
			if took := time.Since(start); took > 20*timeout {
				t.Errorf("it took %s", took)
			}
			e := tool.AsError(err)
			for _, text := range append([]string{err.Error(), e.Message.String(), e.Hint.String()}, e.Details...) {
				if strings.Contains(text, key) || len(text) > 2000 {
					t.Errorf("%d bytes: %.300s", len(text), text)
				}
			}
		})
	}
	t.Cleanup(func() {
		if elsewhere.Load() > 0 {
			t.Error("the request went to another server")
		}
	})
}
