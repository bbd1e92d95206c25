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
		"bad_moment":        func() tool.Result { return call(SetName, "b", map[string]any{"kind": "timer", "when": "soon"}) },
		"moment_over":       func() tool.Result { return call(SetName, "b", map[string]any{"kind": "timer", "when": "today 09:00"}) },
		"several_timers":    func() tool.Result { return call(CancelName, "b", map[string]any{"kind": "timer"}) },
		"no_such_timer":     func() tool.Result { return call(CancelName, "b", map[string]any{"kind": "alarm"}) },
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
