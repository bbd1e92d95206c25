// Package storetest is the contract of [store.Store] as tests, together with
// tracetest for runs and eventtest for the journal. Every implementation runs it.
package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"errand/host/event"
	"errand/host/event/eventtest"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/policy/approval"
)

// Place makes an empty place for a store and returns a function that opens a store
// there. Each call of that function stands for another program that uses the place,
// and the test closes what it opened. now is the stores' clock.
type Place func(t *testing.T, now func() time.Time) (open func() store.Store)

// Run tests the stores of places.
func Run(t *testing.T, place Place) {
	open := func(t *testing.T) store.Store { return place(t, time.Now)() }
	t.Run("runs", func(t *testing.T) { tracetest.Run(t, func(t *testing.T) tracetest.Log { return open(t) }) })
	t.Run("journal", func(t *testing.T) { eventtest.Run(t, func(t *testing.T) event.Journal { return open(t) }) })
	t.Run("drafts", func(t *testing.T) { Drafts(t, place) })
	t.Run("grants", func(t *testing.T) { Grants(t, place) })
	t.Run("chats", func(t *testing.T) { Chats(t, place) })
	t.Run("callbacks", func(t *testing.T) { Callbacks(t, place) })
	t.Run("timers", func(t *testing.T) { Timers(t, place) })
	t.Run("usage", func(t *testing.T) { Usage(t, place) })
	t.Run("facts", func(t *testing.T) { Facts(t, place) })
	t.Run("contexts", func(t *testing.T) { Contexts(t, place) })
	t.Run("programs", func(t *testing.T) { Programs(t, place) })
	t.Run("retention", func(t *testing.T) { Retention(t, place) })
	t.Run("activities", func(t *testing.T) { Activities(t, place) })
}

// Programs tests what a program shows of another one's run and draft: they are in
// progress while it lives, and interrupted or stranded once it has ended.
func Programs(t *testing.T, place Place) {
	open := place(t, time.Now)
	one, other := open(), open()
	if err := one.Begin(t.Context(), tracetest.NewRun("r1", 0)); err != nil {
		t.Fatal(err)
	}
	d := store.Draft{RunID: "r1", Draft: approval.Draft{ID: "d1", State: approval.StateApplying, CreatedAt: tracetest.Start, ExpiresAt: tracetest.Start}}
	if err := one.SaveDraft(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	check := func(want trace.Status, stranded int) {
		t.Helper()
		runs, err := other.Runs(t.Context(), 0)
		if err != nil || len(runs) != 1 || runs[0].Status != want {
			t.Errorf("runs %+v, %v, want it %s", runs, err, want)
		}
		if drafts, err := other.ListStranded(t.Context()); err != nil || len(drafts) != stranded {
			t.Errorf("stranded drafts %v, %v, want %d", drafts, err, stranded)
		}
	}
	check(trace.Running, 0)
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	check(trace.Interrupted, 1)
	if err := other.Resume(t.Context(), trace.Run{RunID: "r1", Status: trace.Interrupted}); err != nil {
		t.Error(err)
	}
	check(trace.Running, 1)
}

// codeOf is the code of an error, and "<nil>" of none.
func codeOf(err error) string {
	if e, ok := errors.AsType[*tool.Error](err); ok {
		return e.Code
	}
	return fmt.Sprint(err)
}
