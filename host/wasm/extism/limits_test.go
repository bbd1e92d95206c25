package extism_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/planner/message"
)

type answer string

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r}
	w.Body = http.NoBody
	if a != "" {
		w.Body = body{strings.NewReader(string(a))}
	}
	return w, nil
}

type body struct{ *strings.Reader }

func (body) Close() error { return nil }

// TestLimits checks that each limit can be reached but not exceeded. The error names the limit,
// its value and the setting that raises it. A limit of zero permits nothing.
func TestLimits(t *testing.T) {
	request := func(g guest) uint64 { return g.text(`{"url":"https://example.com/"}`) }
	tests := []struct {
		key    string
		limits extism.Limits
		once   func(g guest) error // permitted number of times:
		times  int
		code   string
		value  string
	}{
		{
			"log_lines",
			extism.Limits{LogLines: 3},
			func(g guest) error { _, err := g.try("log_warn", g.text("line")); return err },
			3, "log_lines_limit", "3 lines",
		},
		{
			"log_lines",
			extism.Limits{HTTPRequests: 1},
			func(g guest) error { _, err := g.try("log_warn", g.text("line")); return err },
			0, "log_lines_limit", "0 lines",
		},
		{
			"http_requests",
			extism.Limits{HTTPRequests: 2, HTTPBody: 9},
			func(g guest) error { _, err := g.try("http_request", request(g), 0); return err },
			2, "http_requests_limit", "2 HTTP requests",
		},
		{
			"http_body",
			extism.Limits{HTTPRequests: 2, HTTPBody: 8},
			func(g guest) error { _, err := g.try("http_request", request(g), 0); return err },
			0, "http_body_limit", "8B",
		},
		{
			"vars",
			extism.Limits{Vars: 200},
			func(g guest) error {
				_, err := g.try("var_set", g.text("k"+string(rune('a'+len(g.c.Vars)))), g.text("value"))
				return err
			},
			4, "vars_limit", "200",
		},
	}
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			c := &extism.Call{
				Client: &http.Client{Transport: answer("123456789")}, Hosts: []string{"example.com"},
				Log: func(extism.Level, message.Message) {}, Limits: tt.limits,
			}
			g := newGuest(t, c, enough, "")
			for call := range 2 { // every call has the whole limit
				for i := range tt.times {
					if err := tt.once(g); err != nil {
						t.Fatalf("call %d, time %d of %d: %v", call, i, tt.times, err)
					}
				}
				err := tt.once(g)
				var e *tool.Error
				if !errors.As(err, &e) || e.Code != tt.code || !strings.Contains(i18n.English().Text(e.Message), tt.value) || !strings.Contains(i18n.English().Text(e.Hint), "limits."+tt.key) {
					t.Fatalf("call %d: %v (%+v), want %s naming %s and limits.%s", call, err, e, tt.code, tt.value, tt.key)
				}
				clear(c.Vars)
				must.Succeed(t, g.k.Begin(t.Context(), c, nil))
			}
		})
	}
}

// TestInputLimit checks that an input that does not fit is refused, not cut.
func TestInputLimit(t *testing.T) {
	g := newGuest(t, &extism.Call{Raise: func(key string) message.Message { return message.Verbatim("allow more with --" + key) }}, 128<<10, "")
	if err := g.k.Begin(t.Context(), g.c, make([]byte, 128<<10-32)); err != nil {
		t.Errorf("an input that just fits: %v", err)
	}
	err := g.k.Begin(t.Context(), g.c, make([]byte, 128<<10-31))
	var e *tool.Error
	if !errors.As(err, &e) || e.Class != tool.ValidationError || e.Code != "input_too_large" ||
		!strings.Contains(i18n.English().Text(e.Message), "131041 bytes") || !strings.Contains(i18n.English().Text(e.Message), "128KiB") || i18n.English().Text(e.Hint) != "allow more with --memory" {
		t.Errorf("%+v", e)
	}
	g.want(0, "input_length")
}

// TestResetEndsWithTheCall checks that reset, which costs the plugin no fuel, stops at the
// deadline.
func TestResetEndsWithTheCall(t *testing.T) {
	g := newGuest(t, &extism.Call{}, enough, "")
	ctx, cancel := context.WithCancel(t.Context())
	must.Succeed(t, g.k.Begin(ctx, g.c, nil))
	g.call("reset")
	cancel()
	g.wantFault("interrupted", "reset")
}

// TestCallIsFound checks that a call is found in a context derived from it, and in no other
// context.
func TestCallIsFound(t *testing.T) {
	g := newGuest(t, &extism.Call{LogLevel: extism.Warn}, enough, "")
	f := g.env.ExportedFunction("get_log_level")
	type key struct{}
	within := context.WithValue(g.c, key{}, 1)
	if got, err := f.Call(within); err != nil || got[0] != uint64(extism.Warn) {
		t.Errorf("within another context: %v, %v", got, err)
	}
	if _, err := f.Call(t.Context()); err == nil {
		t.Error("a function ran without a call")
	}
}

// endsSoon is a context that ends after its error was read a few times.
type endsSoon struct {
	context.Context
	asked *int
}

func (c endsSoon) Err() error {
	if *c.asked--; *c.asked < 0 {
		return context.Canceled
	}
	return nil
}

// TestLargeCopiesEndWithTheCall checks that the host stops reading or writing a large block when
// the call ends, and that it reads a limited number of bytes.
func TestLargeCopiesEndWithTheCall(t *testing.T) {
	const much = 64 << 20
	for _, tt := range []struct {
		name, code string
		do         func(g guest) error
	}{
		{"reset", "interrupted", func(g guest) error { _, err := g.try("reset"); return err }},
		{"the body of a request", "interrupted", func(g guest) error {
			_, err := g.try("http_request", g.text(`{"url":"https://example.com/"}`), g.call("alloc", much))
			return err
		}},
		{"a request", "message_too_long", func(g guest) error { _, err := g.try("http_request", g.call("alloc", much), 0); return err }},
		{"the name of a setting", "message_too_long", func(g guest) error { _, err := g.try("config_get", g.call("alloc", much)); return err }},
		{"the name of a variable", "message_too_long", func(g guest) error { _, err := g.try("var_get", g.call("alloc", much)); return err }},
		{"of one that is set", "message_too_long", func(g guest) error { _, err := g.try("var_set", g.call("alloc", much), 0); return err }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &extism.Call{
				Client: &http.Client{Transport: answer("x")}, Hosts: []string{"example.com"}, Limits: extism.DefaultLimits(),
			}
			g := newGuest(t, c, 256<<20, "")
			asked := 1 << 30
			must.Succeed(t, g.k.Begin(endsSoon{t.Context(), &asked}, c, nil))
			g.call("alloc", much)
			asked = 5
			var e *tool.Error
			if err := tt.do(g); !errors.As(err, &e) || e.Code != tt.code {
				t.Errorf("%v, want %s", err, tt.code)
			}
		})
	}
}
