package trace_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"errand/host/trace"
	"errand/planner/message"
)

func notes() []trace.Note {
	visible := true
	return []trace.Note{
		trace.ConnectionNote{
			Host: "a.example:443", URL: "secret", Verdict: "deny", Rule: "unlisted", Reason: message.New("policy.unlisted", "host", "secret"),
			Tool: "weather.now", Sent: 7, Step: "a1",
		},
		trace.ConnectionNote{Wire: true, Host: "secret", Verdict: "allow", Rule: "list", Error: message.Verbatim("secret")},
		trace.ConnectionNote{Host: "a.example:443", Verdict: "allow", Rule: "list", Source: message.Verbatim("secret")},
		trace.PageNote{
			Event: trace.PageChallenge, URL: "secret", Challenge: "captcha", Evidence: message.Verbatim("secret"), WaitSeconds: 300, Wait: 1,
		},
		trace.PageNote{Event: trace.PageDialogDismissed, Type: "confirm", Message: "secret"},
		trace.BrowserNote{Path: "secret", Visible: &visible, Profile: "work"},
		trace.PluginNote{Plugin: "notes", Level: "info", Message: message.Verbatim("secret")},
		trace.LimitNote{OmittedKind: "page", Truncated: true, Limit: 1000},
		trace.LostNote{EventsLost: 3},
		trace.DecisionNote{Effect: "committed", By: "secret", Step: "a2"},
		trace.Egress{Requests: 2, Sent: 10},
	}
}

func TestEventOf(t *testing.T) {
	want := []string{
		`connection a1 {"host":"a.example:443","reason":{"msg":"policy.unlisted","params":{"host":"secret"}},"rule":"unlisted","sent":7,"step":"a1","tool":"weather.now","url":"secret","verdict":"deny"}`,
		`wire  {"error":"secret","host":"secret","rule":"list","verdict":"allow"}`,
		`connection  {"host":"a.example:443","rule":"list","source":"secret","verdict":"allow"}`,
		`page  {"event":"challenge","evidence":"secret","kind":"captcha","url":"secret","wait":1,"waits_seconds":300}`,
		`page  {"event":"dialog_dismissed","message":"secret","type":"confirm"}`,
		`browser  {"path":"secret","profile":"work","visible":true}`,
		`plugin  {"level":"info","message":"secret","plugin":"notes"}`,
		`page  {"limit":1000,"truncated":true}`,
		`record  {"events_lost":3}`,
		`decided a2 {"by":"secret","effect":"committed"}`,
		`egress  {"connections":0,"hosts":0,"max_bytes":0,"max_hosts":0,"max_requests":0,"received":0,"requests":2,"sent":10,"stopped":0}`,
	}
	for i, n := range notes() {
		e := trace.EventOf("r1", time.Time{}, n)
		b, err := json.Marshal(e.Data)
		if got := e.Kind + " " + e.StepID + " " + string(b); err != nil || e.RunID != "r1" || got != want[i] {
			t.Errorf("%T of %s, %v:\n%s\nwant\n%s", n, e.RunID, err, got, want[i])
		}
		read, ok := trace.ConnectionOf(e)
		if c, is := n.(trace.ConnectionNote); ok != (is && !c.Wire) || ok && !reflect.DeepEqual(read, c) {
			t.Errorf("read as %+v, %v", read, ok)
		}
	}
}

// TestNoteMapText checks that no text of a note escapes redaction, and that the note
// itself stays as it is.
func TestNoteMapText(t *testing.T) {
	for i, n := range notes() {
		clean := n.MapText(func(s string) string { return strings.ReplaceAll(s, "secret", "-") })
		b, err := json.Marshal(clean)
		if err != nil || strings.Contains(string(b), "secret") {
			t.Errorf("%T: %s, %v", n, b, err)
		}
		if !reflect.DeepEqual(n, notes()[i]) || clean.Kind() != n.Kind() {
			t.Errorf("%T has changed: %+v", n, n)
		}
		all := reflect.New(reflect.TypeOf(n)).Elem()
		texts := 0
		for f := range all.NumField() {
			if all.Field(f).Kind() == reflect.String && all.Type().Field(f).Tag.Get("json") != "-" && all.Type().Field(f).Type.Name() == "string" {
				all.Field(f).SetString("secret")
				texts++
			}
		}
		seen := 0
		all.Interface().(trace.Note).MapText(func(s string) string {
			if s == "secret" {
				seen++
			}
			return s
		})
		if seen != texts {
			t.Errorf("%T: MapText sees %d of %d texts", n, seen, texts)
		}
	}
}
