package timers

import (
	"context"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// bench returns a function that calls a tool, and the store.
func bench(t *testing.T) (func(name, action string, args map[string]any) tool.Result, *sqlite.Store) {
	t.Helper()
	now := func() time.Time { return noon }
	st, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{Now: now})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = st.Close() })
	all := Tools(Options{Store: func() (store.Store, error) { return st, nil }, Now: now, Changed: func(context.Context) bool { return true }})
	return func(name, action string, args map[string]any) tool.Result {
		t.Helper()
		for _, x := range all {
			if x.Spec().Name == name {
				r, err := x.Call(t.Context(), tool.Call{RunID: "r1", ActionID: action, Tool: name, Args: args})
				must.Succeed(t, err)
				return r
			}
		}
		t.Fatalf("there is no tool %s", name)
		return tool.Result{}
	}, st
}

// TestCancelAndUndo: a call that is repeated makes one timer, and the inverse of each call brings back what
// was, with its moment.
func TestCancelAndUndo(t *testing.T) {
	call, st := bench(t)
	pending := func() []store.Timer {
		all, err := st.Timers(t.Context())
		must.Succeed(t, err)
		return all
	}
	args := map[string]any{"kind": "reminder", "when": "in 20m", "label": "call mom"}
	call(SetName, "a1", args)
	set := call(SetName, "a1", args)
	if all := pending(); len(all) != 1 || !all[0].Due.Equal(noon.Add(20*time.Minute)) {
		t.Fatalf("pending: %+v", all)
	}
	before := pending()[0]
	cancelled := call(CancelName, "a2", map[string]any{"kind": "reminder", "label": "MOM"})
	if !cancelled.OK || len(pending()) != 0 {
		t.Fatalf("cancel: %+v, %+v", cancelled.Error, pending())
	}
	call(cancelled.Undo.Tool, "a3", cancelled.Undo.Args)
	if all := pending(); len(all) != 1 || all[0].ID != before.ID || !all[0].Due.Equal(before.Due) || all[0].Text != before.Text {
		t.Errorf("after the undo: %+v, before %+v", all, before)
	}
	if r := call(set.Undo.Tool, "a4", set.Undo.Args); !r.OK || len(pending()) != 0 {
		t.Errorf("undo of set: %+v, %+v", r.Error, pending())
	}
}

// TestFarMoment: a moment that the store has no number for is not taken for one that is over.
func TestFarMoment(t *testing.T) {
	call, st := bench(t)
	for i, due := range []string{"9999-01-01T00:00:00Z", "2400-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "x"} {
		call(SetName, string(rune('a'+i)), map[string]any{"kind": "reminder", "when": "in 20m", "label": "call mom", "due": due})
	}
	all, err := st.Timers(t.Context())
	must.Succeed(t, err)
	for _, timer := range all {
		if !timer.Due.Equal(noon.Add(20 * time.Minute)) {
			t.Errorf("due %s", timer.Due)
		}
	}
	if len(all) != 4 {
		t.Errorf("%d timers", len(all))
	}
}

// TestWatchAndUndo: the first look at a page is due at once, and a watch that was stopped comes back.
func TestWatchAndUndo(t *testing.T) {
	call, st := bench(t)
	if r := call(WatchName, "a1", map[string]any{"address": "https://example.com/", "when": "every 1h", "changes": "every"}); !r.OK {
		t.Fatalf("watch: %+v", r.Error)
	}
	before, err := st.Timers(t.Context())
	must.Succeed(t, err)
	if len(before) != 1 || !before[0].Due.Equal(noon) || before[0].Text != "https://example.com/" {
		t.Fatalf("watched: %+v", before)
	}
	stopped := call(CancelName, "a2", map[string]any{"kind": "watch", "label": "https://example.com/"})
	if left, err := st.Timers(t.Context()); err != nil || !stopped.OK || len(left) != 0 {
		t.Fatalf("stop: %+v, %v, %+v", stopped.Error, err, left)
	}
	if r := call(stopped.Undo.Tool, "a3", stopped.Undo.Args); !r.OK {
		t.Fatalf("undo: %+v", r.Error)
	}
	after, err := st.Timers(t.Context())
	must.Succeed(t, err)
	if len(after) != 1 || after[0].ID != before[0].ID || after[0].When != "every 1h" || after[0].Changes != "every" {
		t.Errorf("after the undo: %+v", after)
	}
}

func TestRefusals(t *testing.T) {
	call, _ := bench(t)
	call(SetName, "a1", map[string]any{"kind": "timer", "when": "in 5m"})
	call(SetName, "a2", map[string]any{"kind": "timer", "when": "in 6m"})
	for code, do := range map[string]func() tool.Result{
		"bad_moment":     func() tool.Result { return call(SetName, "b", map[string]any{"kind": "timer", "when": "soon"}) },
		"moment_over":    func() tool.Result { return call(SetName, "b", map[string]any{"kind": "timer", "when": "today 09:00"}) },
		"several_timers": func() tool.Result { return call(CancelName, "b", map[string]any{"kind": "timer"}) },
		"no_such_timer":  func() tool.Result { return call(CancelName, "b", map[string]any{"kind": "alarm"}) },
		"bad_moment of a watch": func() tool.Result {
			return call(WatchName, "b", map[string]any{"address": "https://example.com/", "when": "every 1m", "changes": "first"})
		},
		"nothing_to_snooze": func() tool.Result { return call(SnoozeName, "b", map[string]any{"when": "in 10m"}) },
	} {
		code, _, _ = strings.Cut(code, " ")
		if r := do(); r.Error == nil || r.Error.Code != code {
			t.Errorf("%s: %+v", code, r.Error)
		}
	}
}

// TestCancelFits: a duration names the timer that has it, an exact text wins over longer ones, and several
// that fit are listed.
func TestCancelFits(t *testing.T) {
	for _, tt := range []struct{ name, kind, label, want string }{
		{"duration", "timer", "20 minute", "in 20m"},
		{"duration in Russian", "timer", "20 минут", "in 20m"},
		{"exact address", "watch", "https://example.com/", "https://example.com/"},
		{"part of an address", "watch", "/news", "https://example.com/news"},
		{"part of a text", "reminder", "mom", "call mom"},
		{"several", "any", "example.com", ""},
		{"a duration of none", "timer", "10 minute", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			call, _ := bench(t)
			call(SetName, "a", map[string]any{"kind": "timer", "when": "in 20m"})
			call(SetName, "b", map[string]any{"kind": "timer", "when": "in 5m", "label": "tea"})
			call(SetName, "c", map[string]any{"kind": "reminder", "when": "in 20m", "label": "call mom"})
			for i, address := range []string{"https://example.com/news", "https://example.com/"} {
				call(WatchName, string(rune('d'+i)), map[string]any{"address": address, "when": "every 1h", "changes": "every"})
			}
			r := call(CancelName, "z", map[string]any{"kind": tt.kind, "label": tt.label})
			if r.OK != (tt.want != "") {
				t.Fatalf("cancelled: %v, %+v", r.OK, r.Error)
			}
			if p, _ := r.Payload.(map[string]any); r.OK && p["when"] != tt.want && p["label"] != tt.want {
				t.Errorf("cancelled %v, want %s", p, tt.want)
			}
		})
	}
}

// TestWatchedAlready: a second watch of the same page is refused with the id of the first one. Another
// interval is another watch.
func TestWatchedAlready(t *testing.T) {
	call, st := bench(t)
	args := func(when string) map[string]any {
		return map[string]any{"address": "https://example.com/", "when": when, "changes": "every"}
	}
	call(WatchName, "a", args("every 1h"))
	all, err := st.Timers(t.Context())
	must.Succeed(t, err)
	r := call(WatchName, "b", args("every 1h"))
	if r.Error == nil || r.Error.Code != "watched_already" || r.Error.Hint.Params["id"] != all[0].ID {
		t.Fatalf("%+v, first %+v", r.Error, all)
	}
	if r := call(WatchName, "c", args("every 2h")); !r.OK {
		t.Errorf("another interval: %+v", r.Error)
	}
}

// TestListOfKind: where nothing of a kind is pending, the answer has the others.
func TestListOfKind(t *testing.T) {
	call, _ := bench(t)
	call(SetName, "a", map[string]any{"kind": "reminder", "when": "in 20m", "label": "call mom"})
	for kind, want := range map[string]string{"timer": "timer.none_of_kind", "reminder": "timer.list", "any": "timer.list"} {
		p, _ := call(ListName, "b", map[string]any{"timers": kind}).Payload.(map[string]any)
		said, _ := p["text"].(map[string]any)
		if said["msg"] != want {
			t.Errorf("%s: %v, want %s", kind, p["text"], want)
		}
	}
}
