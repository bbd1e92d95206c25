package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/store"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// Facts tests that only steps that are done say what holds, that the last one counts,
// and that facts expire.
func Facts(t *testing.T, place Place) {
	clock := tracetest.Start
	s := place(t, func() time.Time { return clock })()
	if err := s.Begin(t.Context(), tracetest.NewRun("r1", 0)); err != nil {
		t.Fatal(err)
	}
	say := func(id string, minute int, change func(*trace.Step), facts ...string) {
		t.Helper()
		step := tracetest.NewStep("r1", id)
		step.StartedAt, step.DurationMS, step.Facts = tracetest.Start.Add(time.Duration(minute)*time.Minute), 500, facts
		if change != nil {
			change(&step)
		}
		if _, err := s.Append(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	facts := func(want ...string) {
		t.Helper()
		got, err := s.Facts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		lines := []string{}
		for _, f := range got {
			lines = append(lines, fmt.Sprint(f.Fact, " ", f.Holds, " ", f.RunID, "/", f.StepID))
			if f.Expires.Sub(f.At) != store.FactTTL || f.At.Nanosecond() != 623456789 {
				t.Errorf("%s from %v to %v", f.Fact, f.At, f.Expires)
			}
		}
		if diff := cmp.Diff(append([]string{}, want...), lines); diff != "" {
			t.Errorf("facts (-want +got):\n%s", diff)
		}
	}
	facts()
	say("a1", 1, nil, "exists:/x", "exists:/y")
	say("a2", 2, func(s *trace.Step) { s.Status = trace.Failed }, "exists:/z", "!exists:/x")
	say("a3", 2, func(s *trace.Step) { s.PolicyFlags = []string{trace.FlagRepeated} }, "!exists:/x")
	facts("exists:/x true r1/a1", "exists:/y true r1/a1")
	say("a4", 3, nil, "!exists:/x")
	say("a5", 0, nil, "exists:/x") // ended before, was recorded after
	facts("exists:/x false r1/a4", "exists:/y true r1/a1")
	clock = tracetest.Start.Add(store.FactTTL + 2*time.Minute)
	facts("exists:/x false r1/a4")
	if _, err := s.Prune(t.Context(), tracetest.Start); err != nil {
		t.Fatal(err)
	}
	clock = tracetest.Start
	facts("exists:/x false r1/a4") // the other one is gone from the disk
}
