package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/store"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// Contexts tests that a context is kept with the end of its run, that the latest part counts, and
// that it is forgotten with its run.
func Contexts(t *testing.T, place Place) {
	open := place(t, func() time.Time { return tracetest.Start.Add(time.Hour) })
	s := open()
	for i, id := range []string{"r1", "r2", "r3"} {
		if err := s.Begin(t.Context(), tracetest.NewRun(id, i)); err != nil {
			t.Fatal(err)
		}
	}
	part := func(name, run string, minute int, body string) store.ContextPart {
		return store.ContextPart{Name: name, RunID: run, At: tracetest.Start.Add(time.Duration(minute) * time.Minute), Body: []byte(body)}
	}
	end := func(id, conversation string, parts ...store.ContextPart) error {
		run := tracetest.NewRun(id, 0)
		run.Status = trace.Done
		return s.EndInContext(t.Context(), run, conversation, parts)
	}
	check := func(s store.Store, conversation string, want ...store.ContextPart) {
		t.Helper()
		got, err := s.ContextParts(t.Context(), conversation)
		if diff := cmp.Diff(append([]store.ContextPart{}, want...), got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", conversation, err, diff)
		}
	}
	check(s, "cli")
	files, page := part("files", "r1", 2, `["a"]`), part("page", "r1", 2, `["b"]`)
	if err := end("r1", "cli", page, files); err != nil {
		t.Fatal(err)
	}
	check(open(), "cli", files, page) // another program
	check(s, "window")

	later, earlier := part("files", "r2", 3, `["c"]`), part("page", "r2", 1, `["d"]`)
	if err := end("r2", "cli", later, earlier); err != nil {
		t.Fatal(err)
	}
	check(s, "cli", later, page)
	if err := end("r9", "cli", part("app", "r9", 4, `[]`)); codeOf(err) != trace.CodeRunNotBegun {
		t.Errorf("a run that was not begun: %v", err)
	}
	check(s, "cli", later, page) // neither

	window := part("page", "r3", 1, `[]`)
	if err := end("r3", "window", window); err != nil {
		t.Fatal(err)
	}
	if rec, err := s.Record(t.Context(), "r3"); err != nil || rec.Status != trace.Done {
		t.Errorf("%s, %v", rec.Status, err)
	}
	if _, err := s.Forget(t.Context(), "r2"); err != nil {
		t.Fatal(err)
	}
	check(s, "cli", page)
	if err := s.ClearContext(t.Context(), "cli"); err != nil {
		t.Fatal(err)
	}
	check(s, "cli")
	check(s, "window", window)
	if _, err := s.Prune(t.Context(), tracetest.Start.Add(24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	check(s, "window")
}
