package llmtest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/host/llm"
)

// FuzzAnswer decodes any text as an answer of a provider. An answer has calls with ids that
// are unique, and with either arguments or malformed ones of bounded size. The last part of a
// streamed answer is its text.
func FuzzAnswer(f *testing.F, open func(llm.Options) llm.Adapter) {
	names, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	must.Succeed(f, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		must.Succeed(f, err)
		f.Add(text, false)
		if stream, _ := streamOf(open(llm.Options{Client: http.DefaultClient}).Name(), string(text)); stream != "" {
			f.Add([]byte(stream), true)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, isStream bool) {
		a := open(llm.Options{BaseURL: "http://127.0.0.1", Model: "m", Client: &http.Client{Transport: canned(body)}})
		r := conversation()
		shown := ""
		if isStream {
			r.Partial = func(text string) { shown = text }
		}
		turn, err := a.Complete(t.Context(), r)
		if err != nil {
			if _, ok := errors.AsType[*llm.Failure](err); !ok {
				t.Fatalf("%v is not a failure", err)
			}
			return
		}
		if isStream && turn.Finish != llm.FinishFiltered && shown != turn.Text {
			t.Fatalf("the answer is %q, and the last part %q", turn.Text, shown)
		}
		ids := map[string]bool{}
		for _, c := range turn.Calls {
			if c.ID == "" || ids[c.ID] || (c.Args == nil) != (c.Malformed != "") || len(c.Malformed) > 4<<10 {
				t.Fatalf("call = %+v", c)
			}
			ids[c.ID] = true
		}
		// The answer can be sent back.
		r.Messages = append(r.Messages, turn.Message())
		if _, err := a.Complete(t.Context(), r); err != nil {
			if f, ok := errors.AsType[*llm.Failure](err); !ok || f.Reason != llm.Transient {
				t.Fatal(err)
			}
		}
	})
}

// canned answers every request with a text.
type canned []byte

// RoundTrip implements [http.RoundTripper].
func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(c)), Request: r}, nil
}
