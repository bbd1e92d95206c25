package resident

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// fill sets every exported field to a value that is not zero, so that a test sees which ones get
// lost on their way.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case message.Message:
		v.Set(reflect.ValueOf(message.New("resident.busy")))
		return
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(9)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value)
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.Interface:
		v.Set(reflect.ValueOf(map[string]any{"n": 1.5, "list": []any{"a", nil, true}}))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

func filled[T any]() T {
	var v T
	fill(reflect.ValueOf(&v).Elem())
	return v
}

// TestAnswerCrosses checks that no field of an answer gets lost on the socket, now and when a
// field is added.
func TestAnswerCrosses(t *testing.T) {
	want := filled[Answer]()
	want.Result.Artifacts = []tool.Artifact{
		tool.NewArtifact("a.png", "image/png", []byte("picture")), tool.NewArtifact("empty", "text/plain", []byte{}),
		tool.NewArtifact("b.pdf", "application/pdf", bytes.Repeat([]byte{0, 255}, 1<<19)),
	}
	var b bytes.Buffer
	must.Succeed(t, writeAnswer(&b, want))
	b.WriteString("rest")
	var e event
	must.Succeed(t, readFrame(&b, &e, maxEvent, true))
	got, err := readAnswer(&b, *e.Answer)
	must.Succeed(t, err)
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b message.Message) bool { return a.Equal(b) })); d != "" {
		t.Errorf("(-sent +received):\n%s", d)
	}
	if b.String() != "rest" {
		t.Errorf("%d bytes are left, want 4", b.Len())
	}
}

// TestRequestCrosses checks the same of a request.
func TestRequestCrosses(t *testing.T) {
	want := filled[Request]()
	var b bytes.Buffer
	must.Succeed(t, writeFrame(&b, want, maxRequest))
	var got Request
	must.Succeed(t, readFrame(&b, &got, maxRequest, true))
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-sent +received):\n%s", d)
	}
}

// TestNotesCross checks that the notes that a browser makes arrive as they are.
func TestNotesCross(t *testing.T) {
	for _, want := range []trace.Note{filled[trace.ConnectionNote](), filled[trace.PageNote](), filled[trace.BrowserNote](), filled[trace.LimitNote](), trace.ConnectionNote{}} {
		packed, ok := packNote(want)
		if !ok {
			t.Fatalf("%T is not sent", want)
		}
		var b bytes.Buffer
		must.Succeed(t, writeFrame(&b, event{Note: &packed}, maxEvent))
		var e event
		must.Succeed(t, readFrame(&b, &e, maxEvent, true))
		got, ok := e.Note.unpack()
		if d := cmp.Diff(want, got, cmp.Comparer(func(a, b message.Message) bool { return a.Equal(b) })); !ok || d != "" {
			t.Errorf("%T (-sent +received):\n%s", want, d)
		}
	}
	if _, ok := packNote(trace.PluginNote{}); ok {
		t.Error("a note of a plugin is sent")
	}
}

// TestMalformedMessages checks that a message is read strictly, and that its length is not
// believed.
func TestMalformedMessages(t *testing.T) {
	frame := func(doc string) string {
		return string([]byte{0, byte(len(doc) >> 16), byte(len(doc) >> 8), byte(len(doc))}) + doc
	}
	for _, tt := range []struct {
		name, bytes string
		strict, ok  bool
	}{
		{"good", frame(`{"do":"stop"}`), true, true},
		{"nothing", "", true, false},
		{"half a length", "\x00\x00", true, false},
		{"half a message", frame(`{"do":"stop"}`)[:9], true, false},
		{"no JSON", frame(`stop`), true, false},
		{"empty", frame(``), true, false},
		{"another type", frame(`[1]`), true, false},
		{"an unknown name", frame(`{"do":"stop","x":1}`), true, false},
		{"an unknown name in a greeting", frame(`{"do":"stop","x":1}`), false, true},
		{"a repeated name", frame(`{"do":"stop","do":"call"}`), true, false},
		{"two documents", frame(`{"do":"stop"}{}`), true, false},
		{"two documents in a greeting", frame(`{"do":"stop"} 1`), false, false},
		{"too long", "\x7f\xff\xff\xff{}", true, false},
		{"a length without bytes", "\x00\x3f\xff\xff{}", true, false},
		{"invalid UTF-8 stays text", frame("{\"do\":\"\xff\"}"), true, true},
		{"deep", frame(`{"call":{"Args":{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}}}`), true, false},
	} {
		var r Request
		if err := readFrame(strings.NewReader(tt.bytes), &r, maxRequest, tt.strict); (err == nil) != tt.ok {
			t.Errorf("%s: %v, want accepted %t", tt.name, err, tt.ok)
		}
	}
}

// TestLargeAnswer checks that an answer that is too large, or no JSON, becomes an error.
func TestLargeAnswer(t *testing.T) {
	for name, a := range map[string]Answer{
		"artifact": {Result: tool.Result{OK: true, Artifacts: []tool.Artifact{{Data: make([]byte, maxArtifact+1)}}}},
		"no JSON":  {Result: tool.OK(func() {})},
	} {
		var b bytes.Buffer
		must.Succeed(t, writeAnswer(&b, a))
		var e event
		must.Succeed(t, readFrame(&b, &e, maxEvent, true))
		got, err := readAnswer(&b, *e.Answer)
		if err != nil || got.Err == nil || got.Err.Code != "result_too_large" || got.Result.OK {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestBadRequests checks that the zero request and incomplete calls are refused.
func TestBadRequests(t *testing.T) {
	good := Request{Do: DoCall, Visit: Visit{Run: "r1", Origin: plan.UserGoal}, Caller: tool.Caller{RunID: "r1", Tool: "browser.links"}}
	for _, tt := range []struct {
		name   string
		change func(*Request)
		ok     bool
	}{
		{"good", func(*Request) {}, true},
		{"zero", func(r *Request) { *r = Request{} }, false},
		{"unknown", func(r *Request) { r.Do = "format" }, false},
		{"no run", func(r *Request) { r.Visit.Run = "" }, false},
		{"another run", func(r *Request) { r.Caller.RunID = "r2" }, false},
		{"no tool", func(r *Request) { r.Caller.Tool = "" }, false},
		{"no origin", func(r *Request) { r.Visit.Origin = "" }, false},
		{"unknown origin", func(r *Request) { r.Visit.Origin = "root" }, false},
		{"stop", func(r *Request) { *r = Request{Do: DoStop} }, true},
	} {
		r := good
		tt.change(&r)
		if err := r.check(); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// FuzzRequest checks that no bytes of a client make the process panic or wait, and that a request
// that is read can be written again.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{"", "\x00\x00\x00\x02{}", "\x00\x00\x00\x0d{\"do\":\"stop\"}", "\xff\xff\xff\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Request
		if readFrame(bytes.NewReader(b), &r, maxRequest, true) != nil {
			return
		}
		_ = r.check()
		var again bytes.Buffer
		if err := writeFrame(&again, r, 2*maxRequest); err != nil {
			t.Errorf("write %+v: %v", r, err)
		}
	})
}

// FuzzEvent checks that no bytes of a process make the client panic.
func FuzzEvent(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02{}"))
	var b bytes.Buffer
	must.Succeed(f, writeAnswer(&b, Answer{Result: tool.Result{OK: true, Artifacts: []tool.Artifact{{Name: "a", Data: []byte("x")}}}}))
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		in := bytes.NewReader(b)
		var e event
		if readFrame(in, &e, maxEvent, true) != nil {
			return
		}
		if e.Note != nil {
			e.Note.unpack()
		}
		if e.Answer != nil {
			_, _ = readAnswer(in, *e.Answer)
		}
	})
}
