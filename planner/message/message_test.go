package message

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"errand/build/must"
)

type word string

type verdict int

func (verdict) String() string { return "deny" }

type failure struct{ m Message }

func (f *failure) Error() string      { return f.m.String() }
func (f *failure) AsMessage() Message { return f.m }

func TestNewConvertsValues(t *testing.T) {
	text := "x"
	notFolder := New("files.not_a_folder", "path", "/tmp")
	tests := []struct {
		name  string
		value any
		want  any
	}{
		{"nil", nil, ""},
		{"string", "a", "a"},
		{"named string", word("a"), "a"},
		{"invalid UTF-8", "a\xff\xfeb", "a\uFFFDb"},
		{"bool", true, true},
		{"int", 3, int64(3)},
		{"uint8", uint8(3), int64(3)},
		{"largest exact", int64(1 << 53), int64(1 << 53)},
		{"beyond exact", int64(1<<53 + 1), "9007199254740993"},
		{"uint beyond exact", uint64(math.MaxUint64), "18446744073709551615"},
		{"whole float", 3.0, int64(3)},
		{"negative zero", math.Copysign(0, -1), int64(0)},
		{"float", 0.5, 0.5},
		{"large float", 1e16, 1e16},
		{"not a number", math.NaN(), "NaN"},
		{"infinite", math.Inf(-1), "-Inf"},
		{"JSON number", json.Number("12"), int64(12)},
		{"large JSON number", json.Number("1e400"), "1e400"},
		{"duration", 1500 * time.Millisecond, 1.5},
		{"whole duration", time.Minute, int64(60)},
		{"time", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "2026-01-02T03:04:05Z"},
		{"stringer", verdict(1), "deny"},
		{"bytes", []byte("a"), "a"},
		{"raw JSON", json.RawMessage(`{"msg":"x"}`), `{"msg":"x"}`},
		{"pointer", &text, "x"},
		{"nil pointer", (*string)(nil), ""},
		{"nil pointer with methods", (*url.URL)(nil), ""},
		{"nil error", (*failure)(nil), ""},
		{"message", notFolder, notFolder},
		{"verbatim message", Verbatim("EOF"), "EOF"},
		{"zero message", Message{}, ""},
		{"error with a message", notFolder.Err(), notFolder},
		{"other error", errors.New("EOF"), "EOF"},
		{"list", []string{"a", "b"}, []any{"a", "b"}},
		{"nil list", []string(nil), []any{}},
		{"list of errors", []error{notFolder.Err(), nil}, []any{notFolder, ""}},
		{"list of lists", [][]int{{1}, {}}, []any{[]any{int64(1)}, []any{}}},
		{"array", [2]bool{true, false}, []any{true, false}},
		{"map", map[string]any{"msg": "policy.allowed"}, "map[msg:policy.allowed]"},
		{"list of maps", []any{map[string]any{"msg": "x"}}, []any{"map[msg:x]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := New("x.y", "p", tt.value).Params["p"]; !equal(got, tt.want) {
				t.Errorf("parameter is %#v, want %#v", got, tt.want)
			}
		})
	}
}

func TestNewPanics(t *testing.T) {
	for name, pairs := range map[string][]any{
		"a value without a name":   {"a", 1, "b"},
		"a name that is no string": {1, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			New("x.y", pairs...)
		})
	}
}

func TestString(t *testing.T) {
	inner := New("os.gone", "path", "/tmp")
	tests := []struct {
		name string
		m    Message
		want string
	}{
		{"zero", Message{}, ""},
		{"code alone", New("a.b"), "a.b"},
		{"sorted parameters", New("a.b", "z", 1, "a", "x"), "a.b(a=x, z=1)"},
		{"message in it", New("a.b", "cause", inner), "a.b(cause=os.gone(path=/tmp))"},
		{"verbatim", Verbatim("EOF"), "EOF"},
		{"list", New("a.b", "l", []any{"x", inner}), "a.b(l=[x os.gone(path=/tmp)])"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.m.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEqual(t *testing.T) {
	base := New("a.b", "n", 1, "l", []any{New("c.d", "x", "y")})
	tests := []struct {
		name  string
		other Message
		want  bool
	}{
		{"same", New("a.b", "l", []Message{New("c.d", "x", "y")}, "n", 1.0), true},
		{"code", New("a.c", "n", 1, "l", []any{New("c.d", "x", "y")}), false},
		{"number", New("a.b", "n", 2, "l", []any{New("c.d", "x", "y")}), false},
		{"type", New("a.b", "n", "1", "l", []any{New("c.d", "x", "y")}), false},
		{"inner parameter", New("a.b", "n", 1, "l", []any{New("c.d", "x", "z")}), false},
		{"missing", New("a.b", "n", 1), false},
		{"longer list", New("a.b", "n", 1, "l", []any{New("c.d", "x", "y"), ""}), false},
		{"zero", Message{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if base.Equal(tt.other) != tt.want || tt.other.Equal(base) != tt.want {
				t.Errorf("equal is %v", !tt.want)
			}
		})
	}
	if !(Message{Code: "a", Params: map[string]any{}}).Equal(Message{Code: "a"}) {
		t.Error("no parameters differ from none")
	}
}

func TestOf(t *testing.T) {
	gone, locked := New("os.gone", "path", "/tmp"), New("os.locked")
	within := func(before string, m Message, after any) Message {
		return New("message.within", "before", before, "message", m, "after", after)
	}
	_, notThere := os.Open("/nonexistent")
	tests := []struct {
		name string
		err  error
		want Message
	}{
		{"nil", nil, Message{}},
		{"nil pointer", (*failure)(nil), Message{}},
		{"other", notThere, Verbatim("open /nonexistent: no such file or directory")},
		{"message", gone.Err(), gone},
		{"wrapped as it is", fmt.Errorf("%w", gone.Err()), gone},
		{"text before", fmt.Errorf("read: %w", gone.Err()), within("read: ", gone, "")},
		{"text on both sides", fmt.Errorf("read (%w) twice", gone.Err()), within("read (", gone, ") twice")},
		{"wrapped twice", fmt.Errorf("a: %w", fmt.Errorf("b: %w", gone.Err())), within("a: b: ", gone, "")},
		{"two in a text", fmt.Errorf("%w and %w!", gone.Err(), locked.Err()), within("", gone, within(" and ", locked, "!"))},
		{"text elsewhere", &os.PathError{Op: "open", Path: "x", Err: gone.Err()}, within("open x: ", gone, "")},
		{"text without its cause", hiding{gone.Err()}, Verbatim("hidden")},
		{"empty cause", fmt.Errorf("a: %w", Message{}.Err()), Verbatim("a: ")},
		{"joined", errors.Join(gone.Err(), errors.New("EOF")), New("message.lines", "lines", []any{gone, "EOF"})},
		{"joined alone", errors.Join(nil, gone.Err()), gone},
		{"joined in a text", fmt.Errorf("a: %w", errors.Join(gone.Err(), locked.Err())), within("a: ", gone, within("\n", locked, ""))},
		{"joins nothing", empty{}, Verbatim("none")},
		{"cancelled", context.Canceled, New("message.interrupted")},
		{"out of time", context.DeadlineExceeded, New("message.time_up")},
		{"cancelled in a text", fmt.Errorf("a: %w", context.Canceled), Verbatim("a: context canceled")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := FromError(tt.err); !got.Equal(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

type hiding struct{ cause error }

func (hiding) Error() string   { return "hidden" }
func (h hiding) Unwrap() error { return h.cause }

type empty struct{}

func (empty) Error() string   { return "none" }
func (empty) Unwrap() []error { return nil }

func TestLines(t *testing.T) {
	gone := New("os.gone")
	tests := []struct {
		name string
		errs []error
		want Message
	}{
		{"none", nil, Message{}},
		{"nil", []error{nil, nil}, Message{}},
		{"one", []error{nil, gone.Err()}, gone},
		{"two", []error{gone.Err(), errors.New("EOF")}, New("message.lines", "lines", []any{gone, "EOF"})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Lines(tt.errs...); !got.Equal(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestErrorWrapsItsParameters(t *testing.T) {
	sentinel := Error("os.locked")
	typed := &failure{New("a.b")}
	for name, err := range map[string]error{
		"alone":   Error("x.y", "cause", sentinel, "also", typed),
		"listed":  Error("x.y", "causes", []error{typed, sentinel}),
		"deep":    Error("x.y", "cause", Error("x.z", "cause", errors.Join(sentinel, typed))),
		"wrapped": fmt.Errorf("a: %w", Error("x.y", "cause", fmt.Errorf("b: %w, %w", sentinel, typed))),
	} {
		t.Run(name, func(t *testing.T) {
			var f *failure
			if !errors.Is(err, sentinel) || !errors.As(err, &f) || f != typed {
				t.Errorf("%v hides its parameters", err)
			}
		})
	}
	if err := Error("x.y", "cause", error(nil), "other", (*failure)(nil)); errors.Is(err, sentinel) || err.Error() != "x.y(cause=, other=)" {
		t.Errorf("got %v", err)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, doc := range []string{
		`1`, `true`, `[]`, `{}`, `{"msg":""}`, `{"msg":1}`, `{"MSG":"a.b"}`, `{"params":{}}`, `{"msg":"a.b","text":"x"}`,
		`{"msg":"a.b","params":[]}`, `{"msg":"a.b","params":null}`, `{"msg":"a.b","params":{"x":{}}}`, `{"msg":"a.b","params":{"x":{"y":1}}}`,
		`{"msg":"a.b","params":{"x":[{"msg":"c","also":1}]}}`, `{"msg":"a.b"`, ``,
	} {
		m := New("before.it")
		if err := m.UnmarshalJSON([]byte(doc)); err == nil {
			t.Errorf("%s is read as %v", doc, m)
		}
	}
}

func TestJSONForms(t *testing.T) {
	tests := []struct {
		name string
		m    Message
		want string
	}{
		{"zero", Message{}, `""`},
		{"verbatim", Verbatim(`a "b" <c>`), `"a \"b\" <c>"`},
		{"code alone", New("a.b"), `{"msg":"a.b"}`},
		{"parameters", New("a.b", "n", 1, "b", true, "f", 0.5, "s", "<&>"), `{"msg":"a.b","params":{"b":true,"f":0.5,"n":1,"s":"<&>"}}`},
		{"nested", New("a.b", "c", New("c.d", "e", Verbatim("f"))), `{"msg":"a.b","params":{"c":{"msg":"c.d","params":{"e":"f"}}}}`},
		{"list", New("a.b", "l", []any{"x", New("c.d")}), `{"msg":"a.b","params":{"l":["x",{"msg":"c.d"}]}}`},
		{"looks like a message", New("a.b", "s", `{"msg":"c.d"}`), `{"msg":"a.b","params":{"s":"{\"msg\":\"c.d\"}"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := tt.m.MarshalJSON()
			if err != nil || string(b) != tt.want {
				t.Errorf("got %s, %v, want %s", b, err, tt.want)
			}
			checkRoundTrip(t, tt.m)
		})
	}
	m := New("kept.it")
	if err := json.Unmarshal([]byte("null"), &m); err != nil || m.Code != "kept.it" {
		t.Errorf("null: %v, %v", m, err)
	}
}

// checkRoundTrip checks the law that JSON keeps a Message.
func checkRoundTrip(t *testing.T, m Message) {
	t.Helper()
	b := must.JSON(t, m)
	var got Message
	if err := json.Unmarshal(b, &got); err != nil || !got.Equal(m) {
		t.Errorf("%v became %v, %v by %s", m, got, err, b)
	}
}

// FuzzRoundTrip: JSON keeps every Message that New makes, and a Message that was
// read is one that New makes.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a.b", "path", "/tmp/\xff", int64(3), 0.5, `{"msg":"a.b","params":{"n":[1,{"msg":"c.d"}]}}`)
	f.Add("verbatim", "text", "x", int64(math.MaxInt64), 1e16, `{"msg":"verbatim","params":{"text":"x"}}`)
	f.Add("", "", "", int64(-1), math.Inf(1), `"x"`)
	f.Add("message.within", "msg", `{"msg":`, int64(1<<53+1), 1e300, `{"msg":"x","params":{"n":9007199254740993,"f":1.0,"e":1e999,"z":null}}`)
	f.Fuzz(func(t *testing.T, code, name, text string, n int64, x float64, doc string) {
		code, name = strings.ToValidUTF8(code, "?"), strings.ToValidUTF8(name, "?")
		inner := New(code, name, text, name+"1", x)
		if code == verbatim {
			code = "a.c" // only Verbatim makes it
		}
		m := New("a.b", name, text, name+"1", n, name+"2", x, name+"3", inner, name+"4", []any{n, inner, text, []any{inner}}, name+"5", errors.Join(inner.Err(), errors.New(text)))
		checkRoundTrip(t, m)
		checkRoundTrip(t, New("c.d", "cause", fmt.Errorf("%s%w%s", text, m.Err(), text)))
		checkRoundTrip(t, Verbatim(text))
		var read Message
		if json.Unmarshal([]byte(doc), &read) == nil {
			checkRoundTrip(t, read)
			for name, p := range read.Params {
				if !equal(toJSONValue(p), p) {
					t.Errorf("%s is %#v, not as New makes it", name, p)
				}
			}
		}
	})
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = New("files.not_a_folder", "path", "/tmp/x", "count", 3)
	}
}
