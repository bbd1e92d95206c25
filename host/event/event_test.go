package event_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/host/event"
	"errand/host/tool"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 5e8, time.UTC)

func put(names ...event.Name) event.Event { return event.New("test", noon, event.Put, names...) }

func wantRefused(t *testing.T, what string, err error, begins string) {
	t.Helper()
	var typed *tool.Error
	if !errors.As(err, &typed) || typed.Class != tool.ValidationError || typed.Code != event.CodeInvalid {
		t.Errorf("%q: error %v, want validation_error %s", what, err, event.CodeInvalid)
	} else if !strings.Contains(i18n.English().Text(typed.Message), begins) {
		t.Errorf("%q: message %q does not have %q", what, typed.Message, begins)
	}
}

func TestEventAsJSON(t *testing.T) {
	e := event.Event{
		Seq: 7, ID: "0b8e1f0e-7c55-4a35-9c07-5b8ad1e1a0f3", Source: "host/run", Time: "2026-03-01T12:00:00.5Z",
		Resources: []event.Name{"cld:run.r1"}, DetailType: event.Delete,
	}
	const want = `{"seq":7,"id":"0b8e1f0e-7c55-4a35-9c07-5b8ad1e1a0f3","source":"host/run","time":"2026-03-01T12:00:00.5Z","resources":["cld:run.r1"],"detail_type":"RESOURCE_DELETE"}`
	b, err := json.Marshal(e)
	if err != nil || string(b) != want {
		t.Errorf("%s, %v; want %s", b, err, want)
	}
	var back event.Event
	if err := json.Unmarshal(b, &back); err != nil || !cmp.Equal(e, back) {
		t.Errorf("back: %+v, %v", back, err)
	}
	for _, bad := range []string{`"RESOURCE_PATCH"`, `3`, `"0"`} {
		if json.Unmarshal([]byte(`{"detail_type":`+bad+`}`), &back) == nil {
			t.Errorf("detail type %s is taken", bad)
		}
	}
	if _, err := json.Marshal(event.DetailType(3)); err == nil {
		t.Error("detail type 3 has a name")
	}
	if got := event.DetailType(3).String() + event.Get.String(); got != "DetailType(3)RESOURCE_GET" {
		t.Errorf("names %s", got)
	}
}

func TestNewIsValid(t *testing.T) {
	a, b := put("cld:run.r1"), put("cld:run.r1")
	if err := a.Validate(); err != nil {
		t.Error(err)
	}
	if a.ID == b.ID || a.ID[14] != '4' {
		t.Errorf("ids %s and %s", a.ID, b.ID)
	}
	if a.Time != "2026-03-01T12:00:00.5Z" {
		t.Errorf("time %s", a.Time)
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		field string
		spoil func(*event.Event)
	}{
		{"id: ", func(e *event.Event) { e.ID = "" }},
		{"id: ", func(e *event.Event) { e.ID = "42" }},
		{"id: ", func(e *event.Event) { e.ID = strings.Repeat("0", 36) }},
		{"id: ", func(e *event.Event) { e.ID = strings.Replace(e.ID, "-", "g", 1) }},
		{"id: ", func(e *event.Event) { e.ID += "0" }},
		{"source: ", func(e *event.Event) { e.Source = "" }},
		{"source: ", func(e *event.Event) { e.Source = "a\x00" }},
		{"source: ", func(e *event.Event) { e.Source = "\xff" }},
		{"source: ", func(e *event.Event) { e.Source = strings.Repeat("a", event.MaxSource+1) }},
		{"resources: ", func(e *event.Event) { e.Resources = nil }},
		{"resources: ", func(e *event.Event) { e.Resources = slices.Repeat(e.Resources, event.MaxResources+1) }},
		{"resources[1]: ", func(e *event.Event) { e.Resources = []event.Name{"cld:a.B.1", "a.B.1"} }},
		{"detail_type: ", func(e *event.Event) { e.DetailType = 3 }},
		{"detail_type: ", func(e *event.Event) { e.DetailType = -1 }},
	}
	for _, tt := range tests {
		e := put("cld:a.B.1")
		tt.spoil(&e)
		wantRefused(t, tt.field, e.Validate(), tt.field)
	}
	wantRefused(t, "zero value", event.Event{}.Validate(), "id: ")
}

func TestSeedTime(t *testing.T) {
	t.Run("S1-H17 a malformed time is refused and not stored", func(t *testing.T) {
		j := &event.Memory{}
		for _, at := range []string{
			"", "now", "yesterday", "2026-03-01", "2026-03-01 12:00:00Z", "2026-03-01T12:00:00", "2026-3-1T12:00:00Z", "2026-03-01T2:00:00Z",
			"2026-02-30T12:00:00Z", "2026-03-01T25:00:00Z", "2026-03-01T12:00:00+99:00", "2026-03-01T12:00:00Zjunk", "1772366400",
		} {
			e := put("cld:a.B.1")
			e.Time = at
			_, err := event.NewBus(j).Publish(t.Context(), e)
			wantRefused(t, at, err, "time: ")
			_, err = j.Publish(t.Context(), e)
			wantRefused(t, at, err, "time: ")
		}
		if last, err := j.LastSeq(t.Context()); last != 0 || err != nil {
			t.Errorf("%d events are stored, %v", last, err)
		}
		e := put("cld:a.B.1")
		e.Time = "2026-03-01T15:00:00.123456+03:00"
		if _, err := event.NewBus(j).Publish(t.Context(), e); err != nil {
			t.Errorf("%s is refused: %v", e.Time, err)
		}
	})
}
