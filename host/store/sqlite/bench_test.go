package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// fill writes runs with steps that have effects, and answers the database's size in bytes.
func fill(b *testing.B, dir string, runs, steps int) int64 {
	b.Helper()
	s, err := sqlite.Open(b.Context(), dir, sqlite.Options{})
	must.Succeed(b, err)
	for r := range runs {
		run := tracetest.NewRun(fmt.Sprintf("r%04d", r), r)
		must.Succeed(b, s.Begin(b.Context(), run))
		for i := range steps {
			must.Succeed(b, appendOne(b.Context(), s, run.RunID, fmt.Sprint("a", i), true))
		}
		run.Status = trace.Done
		must.Succeed(b, s.End(b.Context(), run))
	}
	must.Succeed(b, s.Close())
	info, err := os.Stat(filepath.Join(dir, "errand.db"))
	must.Succeed(b, err)
	return info.Size()
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 10, 10)
	for b.Loop() {
		s, err := sqlite.Open(b.Context(), dir, sqlite.Options{})
		must.Succeed(b, err)
		b.StopTimer()
		must.Succeed(b, s.Close())
		b.StartTimer()
	}
}

// BenchmarkAppend states the percentiles of one step, on disk; with a claim it is
// the two writes of a call that has an effect.
func BenchmarkAppend(b *testing.B) {
	for _, claimed := range []bool{false, true} {
		b.Run(map[bool]string{false: "read", true: "effect"}[claimed], func(b *testing.B) {
			dir := b.TempDir()
			s := open(b, dir, sqlite.Options{})
			must.Succeed(b, s.Begin(b.Context(), tracetest.NewRun("r1", 0)))
			var took []time.Duration
			for b.Loop() {
				id := fmt.Sprint("a", len(took))
				start := time.Now()
				must.Succeed(b, appendOne(b.Context(), s, "r1", id, claimed))
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
		})
	}
}

func appendOne(ctx context.Context, s *sqlite.Store, run, id string, claimed bool) error {
	if !claimed {
		_, err := s.Append(ctx, tracetest.NewStep(run, id))
		return err
	}
	key := run + ":" + id
	if _, err := s.Claim(ctx, tracetest.ClaimStep(run, id, key)); err != nil {
		return err
	}
	_, err := s.Append(ctx, tracetest.SettleStep(run, id, key, tool.Committed))
	return err
}

// BenchmarkRead lists and shows out of 10,000 steps: in many runs, and in one;
// of the latter as a person is shown it, too.
func BenchmarkRead(b *testing.B) {
	for _, shape := range []struct{ runs, steps int }{{1000, 10}, {1, 10_000}} {
		dir := b.TempDir()
		size := fill(b, dir, shape.runs, shape.steps)
		s := open(b, dir, sqlite.Options{ReadOnly: true})
		name := fmt.Sprintf("%dx%d", shape.runs, shape.steps)
		for _, limit := range []int{50, 0} {
			b.Run(fmt.Sprintf("%s/Runs(%d)", name, limit), func(b *testing.B) {
				want := shape.runs
				if limit > 0 {
					want = min(want, limit)
				}
				for b.Loop() {
					if runs, err := s.Runs(b.Context(), limit); err != nil || len(runs) != want {
						b.Fatal(len(runs), err)
					}
				}
				b.ReportMetric(float64(size)/10_000, "B/step")
			})
		}
		for n, want := range map[int]int{100: min(shape.steps, 200), -1: shape.steps} {
			kind := map[bool]string{true: "Record", false: "Excerpt(100)"}[n < 0]
			b.Run(name+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					read := s.Record
					if n >= 0 {
						read = func(ctx context.Context, id string) (trace.Record, error) { return s.Excerpt(ctx, id, n) }
					}
					if rec, err := read(b.Context(), "r0000"); err != nil || len(rec.Steps) != want {
						b.Fatal(len(rec.Steps), err)
					}
				}
			})
		}
		b.Run(name+"/Since(a run)", func(b *testing.B) {
			for b.Loop() {
				if events, err := s.EventsSince(b.Context(), 0, "cld:errand.Run.r0000", 0); err != nil || len(events) != shape.steps+2 {
					b.Fatal(len(events), err)
				}
			}
		})
	}
}

// Nothing is old most of the times that a program asks.
func BenchmarkPruneNothing(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 200, 5)
	s := open(b, dir, sqlite.Options{})
	for b.Loop() {
		if p, err := s.Prune(b.Context(), tracetest.NewRun("x", 0).StartedAt); p.Runs != 0 || err != nil {
			b.Fatal(p, err)
		}
	}
}

func BenchmarkPruneRuns(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		dir := b.TempDir()
		fill(b, dir, 200, 5)
		s := open(b, dir, sqlite.Options{})
		b.StartTimer()
		if p, err := s.Prune(b.Context(), tracetest.NewRun("x", 100).StartedAt); p.Runs != 100 || err != nil {
			b.Fatal(p, err)
		}
	}
}
