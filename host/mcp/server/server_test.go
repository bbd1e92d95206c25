package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"errand/build/must"
	"errand/host/mcp/server"
)

// fake is a program with tools that change.
type fake struct {
	mu     sync.Mutex
	tools  []server.Tool
	opened []string
	closed int
}

func (f *fake) list(context.Context) ([]server.Tool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tools, nil
}

func (f *fake) open(client string) server.Session {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened = append(f.opened, client)
	return &fakeSession{f: f}
}

type fakeSession struct {
	f    *fake
	once sync.Once
}

func (s *fakeSession) Call(ctx context.Context, name string, args json.RawMessage, progress func(float64, string)) server.Result {
	switch name {
	case "panics":
		panic("oh")
	case "waits":
		<-ctx.Done()
	}
	if progress != nil {
		for _, n := range []float64{0, 1, 1, 0.5, 2} { // only growing numbers are sent
			progress(n, name)
		}
	}
	return server.Result{Text: name + string(args)}
}

func (s *fakeSession) Close() {
	s.once.Do(func() {
		s.f.mu.Lock()
		defer s.f.mu.Unlock()
		s.f.closed++
	})
}

func makeTool(name, alias string) server.Tool {
	return server.Tool{Name: name, Alias: alias, Title: name, Description: name, Schema: json.RawMessage(`{"type":"object"}`), ReadOnly: true}
}

func newServer(t *testing.T, f *fake) *server.Server {
	t.Helper()
	s, err := server.New(t.Context(), server.Options{Name: "fake", Version: "1", Tools: f.list, Open: f.open, Log: slog.New(slog.DiscardHandler)})
	must.Succeed(t, err)
	return s
}

// connect connects a client over pipes.
func connect(t *testing.T, s *server.Server, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.ServeStdio(context.Background(), in, out) // ends with the connection
		_ = out.Close()
	}()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, o).Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	must.Succeed(t, err)
	t.Cleanup(func() {
		_ = c.Close()
		must.Succeed(t, <-ended)
	})
	return c
}

func textOf(t *testing.T, c *mcp.ClientSession, p *mcp.CallToolParams) string {
	t.Helper()
	r, err := c.CallTool(t.Context(), p)
	must.Succeed(t, err)
	return r.Content[0].(*mcp.TextContent).Text
}

// TestToolsChange: clients hear of a change of the tools, and can call the new ones.
func TestToolsChange(t *testing.T) {
	f := &fake{tools: []server.Tool{makeTool("a_b", "a.b"), makeTool("old", "")}}
	changed := make(chan struct{}, 16)
	c := connect(t, newServer(t, f), &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
	names := func() string {
		listed, err := c.ListTools(t.Context(), nil)
		must.Succeed(t, err)
		var out []string
		for _, made := range listed.Tools {
			out = append(out, made.Name)
		}
		return strings.Join(out, " ")
	}
	if got := names(); got != "a_b old" {
		t.Errorf("tools %q", got)
	}
	for _, name := range []string{"a_b", "a.b"} {
		if got := textOf(t, c, &mcp.CallToolParams{Name: name}); got != "a_b" && got != "a_b{}" {
			t.Errorf("%s answers %q", name, got)
		}
	}
	for len(changed) > 0 { // of the connection
		<-changed
	}
	f.mu.Lock()
	f.tools = []server.Tool{makeTool("a_b", "a.b"), makeTool("new", "")}
	f.mu.Unlock()
	if got := names(); got != "a_b new" {
		t.Errorf("tools %q", got)
	}
	<-changed
	if got := textOf(t, c, &mcp.CallToolParams{Name: "new"}); !strings.HasPrefix(got, "new") {
		t.Error(got)
	}
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "old"}); err == nil {
		t.Error("a tool that is gone was called")
	}
}

// TestProgress: a client that asks for it hears of the progress, in growing numbers.
func TestProgress(t *testing.T) {
	f := &fake{tools: []server.Tool{makeTool("a", "")}}
	heard := make(chan float64, 16)
	c := connect(t, newServer(t, f), &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		if r.Params.ProgressToken != "mine" {
			t.Errorf("token %v", r.Params.ProgressToken)
		}
		heard <- r.Params.Progress
	}})
	p := &mcp.CallToolParams{Name: "a"}
	p.SetProgressToken("mine")
	textOf(t, c, p)
	for _, want := range []float64{0, 1, 2} {
		if got := <-heard; got != want {
			t.Errorf("progress %v, want %v", got, want)
		}
	}
}

// TestPanic: a panic of a call is the error of this call alone.
func TestPanic(t *testing.T) {
	f := &fake{tools: []server.Tool{makeTool("a", ""), makeTool("panics", "")}}
	c := connect(t, newServer(t, f), nil)
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "panics"})
	if err != nil || !r.IsError {
		t.Errorf("%+v, %v", r, err)
	}
	textOf(t, c, &mcp.CallToolParams{Name: "a"})
}

// bearer adds a token to requests.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// TestHTTP serves clients over HTTP: only with a token, and each session to its owner alone.
func TestHTTP(t *testing.T) {
	f := &fake{tools: []server.Tool{makeTool("a", ""), makeTool("waits", "")}}
	s := newServer(t, f)
	site := httptest.NewServer(s.Handler(func(_ context.Context, secret string) (string, bool, error) {
		return secret, secret == "ann" || secret == "bob", nil
	}))
	t.Cleanup(site.Close)
	t.Cleanup(s.Close)
	open := func(token string) (*mcp.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: token, Version: "1"}, nil).
			Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: site.URL, HTTPClient: &http.Client{Transport: bearer{token}}}, nil)
	}
	if _, err := open("eve"); err == nil {
		t.Error("an unknown token was accepted")
	}
	ann, err := open("ann")
	must.Succeed(t, err)
	if got := textOf(t, ann, &mcp.CallToolParams{Name: "a", Arguments: map[string]any{"x": 1}}); got != `a{"x":1}` {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := ann.CallTool(ctx, &mcp.CallToolParams{Name: "waits"})
		ended <- err
	}()
	cancel()
	if err := <-ended; err == nil {
		t.Error("a cancelled request has a result")
	}
	post := func(token, body string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, site.URL, strings.NewReader(body))
		must.Succeed(t, err)
		for key, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": ann.ID(), "MCP-Protocol-Version": "2025-06-18"} {
			r.Header.Set(key, value)
		}
		answer, err := http.DefaultTransport.RoundTrip(withToken(r, token))
		must.Succeed(t, err)
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{}}}`
	for name, tt := range map[string]struct {
		token, body string
		want        int
	}{
		"the owner":           {"ann", call, http.StatusOK},
		"another token":       {"bob", call, http.StatusForbidden},
		"no token":            {"", call, http.StatusUnauthorized},
		"too large a message": {"ann", string(bytes.Repeat([]byte(" "), server.MaxMessage+1)), http.StatusRequestEntityTooLarge},
		"no JSON":             {"ann", "{", http.StatusBadRequest},
	} {
		if got := post(tt.token, tt.body); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
	must.Succeed(t, ann.Close())
	s.Close()
	if len(f.opened) != 1 || f.opened[0] != "ann" || f.closed != 1 {
		t.Errorf("opened %q, closed %d", f.opened, f.closed)
	}
}

func withToken(r *http.Request, token string) *http.Request {
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}
