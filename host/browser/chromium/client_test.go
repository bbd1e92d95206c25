package chromium

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/cdp"
)

// line is a transport for tests.
type line struct {
	sent chan []byte
	came chan []byte
}

func (l line) Send(b []byte) error { l.sent <- b; return nil }
func (l line) Read() ([]byte, error) {
	b, ok := <-l.came
	if !ok {
		return nil, ErrGone
	}
	return b, nil
}

func TestClient(t *testing.T) {
	l := line{make(chan []byte, 10), make(chan []byte)}
	c := NewClient(l)
	tests := []struct {
		name, answer, want string // the result, or "!" and the error
	}{
		{"of a session", `{"id":ID,"result":{"a":[1,",\"sessionId\":\"x\"}"]},"sessionId":"AB12"}`, `{"a":[1,",\"sessionId\":\"x\"}"]}`},
		{"of the browser", `{"id":ID,"result":{}}`, `{}`},
		{"a text that ends like one", `{"id":ID,"result":{"b":{"x":1,"sessionId":"AB"}}}`, `{"b":{"x":1,"sessionId":"AB"}}`},
		{"an error", `{"id":ID,"error":{"code":-32000,"message":"No node"},"sessionId":"AB"}`, "!No node"},
		{"written in another way", `{ "result": {"a":1}, "id": ID }`, `{"a":1}`},
	}
	for _, tt := range tests {
		go func() {
			var r cdp.Request
			_ = json.Unmarshal(<-l.sent, &r)
			l.came <- []byte(`{"id":99999,"result":{}}`) // without a waiting call
			b, _ := json.Marshal(r.ID)
			l.came <- []byte(strings.ReplaceAll(tt.answer, "ID", string(b)))
		}()
		got, err := c.Call(t.Context(), "AB", "X.y", map[string]any{})
		s := string(got)
		var said *cdp.Error
		if errors.As(err, &said) {
			s = "!" + said.Message
		}
		if s != tt.want {
			t.Errorf("%s: %s (%v), want %s", tt.name, s, err, tt.want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := c.Call(ctx, "", "X.y", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without an answer: %v", err)
	}
	if _, err := c.Call(t.Context(), "", "X.y", func() {}); err == nil {
		t.Error("what is no JSON was sent")
	}
	go func() { <-l.sent; <-l.sent; close(l.came) }()
	if _, err := c.Call(t.Context(), "", "X.y", nil); !errors.Is(err, ErrGone) {
		t.Errorf("a transport that ends: %v", err)
	}
	if _, err := c.Call(t.Context(), "", "X.y", nil); !errors.Is(err, ErrGone) {
		t.Errorf("after its end: %v", err)
	}
}

// FuzzReadAnswer checks that any result is found in the response that Chromium writes around it.
func FuzzReadAnswer(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{}`, `{"x":1,"sessionId":"AB"}`, `[{"sessionId":"A"}]`, `"\",\"sessionId\":\"A\"}"`, `{"b":{"x":1,"sessionId":"AB"}}`} {
		f.Add(1, seed, "AB12")
		f.Add(70000, seed, "")
	}
	f.Fuzz(func(t *testing.T, id int, result, session string) {
		if !json.Valid([]byte(result)) || id < 1 || strings.TrimSpace(result) != result {
			return
		}
		message := fmt.Sprintf(`{"id":%d,"result":%s`, id, result)
		if session = hex.EncodeToString([]byte(session)); session != "" {
			message += `,"sessionId":"` + strings.ToUpper(session) + `"`
		}
		got, a := readAnswer([]byte(message + "}"))
		if got != id || string(a.result) != result || a.err != nil {
			t.Errorf("%s}: %d, %s, %v", message, got, a.result, a.err)
		}
	})
}

// TestClientEnds tests that the channel of events is closed when the connection ends: rod waits for it.
func TestClientEnds(t *testing.T) {
	l := line{make(chan []byte, 1), make(chan []byte)}
	c := NewClient(l)
	close(l.came)
	if _, open := <-c.Event(); open {
		t.Error("an event")
	}
	if _, err := c.Call(t.Context(), "", "X.y", nil); !errors.Is(err, ErrGone) {
		t.Errorf("a call afterwards: %v", err)
	}
}
