package storetest

import (
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// Activities tests that runs are listed by when they last went on.
func Activities(t *testing.T, place Place) {
	s := place(t, time.Now)()
	if list, err := s.Activities(t.Context(), 0); err != nil || list == nil || len(list) != 0 {
		t.Errorf("activities of an empty store: %v, %v", list, err)
	}
	for i, id := range []string{"stepped", "noted", "started", "quiet"} {
		if err := s.Begin(t.Context(), tracetest.NewRun(id, []int{0, 1, 3, 2}[i])); err != nil {
			t.Fatal(err)
		}
	}
	step := tracetest.NewStep("stepped", "a1")
	step.StartedAt, step.DurationMS = tracetest.Start.Add(time.Hour), 1000
	if _, err := s.Append(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	note := trace.Event{RunID: "noted", Time: tracetest.Start.Add(time.Hour / 2), Kind: "browser"}
	if err := s.Note(t.Context(), note); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int][]string{0: {"stepped", "noted", "started", "quiet"}, 1: {"stepped"}, 9: {"stepped", "noted", "started", "quiet"}} {
		list, err := s.Activities(t.Context(), limit)
		var got []string
		for _, a := range list {
			got = append(got, a.RunID)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Activities(%d) = %v, %v, want %v", limit, got, err, want)
		}
		if end := tracetest.Start.Add(time.Hour + time.Second); !list[0].At.Equal(end) {
			t.Errorf("at %v, want %v", list[0].At, end)
		}
	}
}

// Retention tests that pruning and forgetting remove what is old or named, and nothing
// that is in progress.
func Retention(t *testing.T, place Place) {
	s := place(t, time.Now)()
	for i, id := range []string{"one", "two", "three"} {
		run := tracetest.NewRun(id, i)
		if err := s.Begin(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		step := tracetest.NewStep(id, "a1")
		step.Artifacts = []tool.Artifact{{Name: "page.txt", Data: []byte("the page of " + id)}}
		if _, err := s.Append(t.Context(), step); err != nil {
			t.Fatal(err)
		}
		run.Status = trace.Done
		if err := s.End(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Begin(t.Context(), tracetest.NewRun("under-way", 0)); err != nil {
		t.Fatal(err)
	}
	before := tracetest.Start.Add(90 * time.Second)
	would, err := s.Prunable(t.Context(), before)
	if err != nil || would.Runs != 2 || would.Artifacts != 2 || would.Bytes == 0 {
		t.Errorf("prunable: %+v, %v", would, err)
	}
	if report, err := s.Prune(t.Context(), before); err != nil || report != would {
		t.Errorf("pruned: %+v, %v, want %+v", report, err, would)
	}
	if report, err := s.Prune(t.Context(), before); err != nil || report != (store.PruneReport{}) {
		t.Errorf("pruned again: %+v, %v", report, err)
	}
	for id, code := range map[string]string{"under-way": trace.CodeRunUnderWay, "one": trace.CodeRunUnderWay} {
		if report, err := s.Forget(t.Context(), id); codeOf(err) != code {
			t.Errorf("forget %s: %+v, %v, want %s", id, report, err, code)
		}
	}
	rec, err := s.Record(t.Context(), "three")
	if err != nil {
		t.Fatal(err)
	}
	key := rec.Steps[0].Artifacts[0].SHA256
	if f, err := s.OpenArtifact(t.Context(), key); err != nil {
		t.Error(err)
	} else {
		b, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil || string(b) != "the page of three" {
			t.Errorf("the artifact is %q, %v", b, err)
		}
	}
	if report, err := s.Forget(t.Context(), "three"); err != nil || report.Runs != 1 || report.Artifacts != 1 {
		t.Errorf("forgotten: %+v, %v", report, err)
	}
	if _, err := s.OpenArtifact(t.Context(), key); codeOf(err) != store.CodeNoArtifact {
		t.Errorf("the artifact of a forgotten run: %v", err)
	}
	if n, err := s.CountRuns(t.Context()); err != nil || n != 1 {
		t.Errorf("%d runs stay, %v", n, err)
	}
	if err := s.Scrub(t.Context()); err != nil {
		t.Error(err)
	}
}
