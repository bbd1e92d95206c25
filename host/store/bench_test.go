package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"errand/host/store"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// fill writes runs with steps, and answers the database's size in bytes.
func fill(b *testing.B, dir string, runs, steps int) int64 {
	b.Helper()
	s, err := store.Open(b.Context(), dir, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for r := range runs {
		run := tracetest.NewRun(fmt.Sprintf("r%04d", r), r)
		if err := s.Begin(b.Context(), run); err != nil {
			b.Fatal(err)
		}
		for i := range steps {
			if _, err := s.Append(b.Context(), tracetest.NewStep(run.RunID, fmt.Sprintf("a%d", i))); err != nil {
				b.Fatal(err)
			}
		}
		run.Status = trace.Done
		if err := s.End(b.Context(), run); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "errand.db"))
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 10, 10)
	for b.Loop() {
		s, err := store.Open(b.Context(), dir, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkAppend states the 99th percentile of one step, on disk.
func BenchmarkAppend(b *testing.B) {
	s := open(b, b.TempDir(), store.Options{})
	if err := s.Begin(b.Context(), tracetest.NewRun("r1", 0)); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := s.Append(b.Context(), tracetest.NewStep("r1", "a1")); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
}

// BenchmarkRead lists and shows out of 10,000 steps: in many runs, and in one.
func BenchmarkRead(b *testing.B) {
	for _, shape := range []struct{ runs, steps int }{{1000, 10}, {1, 10_000}} {
		dir := b.TempDir()
		size := fill(b, dir, shape.runs, shape.steps)
		s := open(b, dir, store.Options{ReadOnly: true})
		name := fmt.Sprintf("%dx%d", shape.runs, shape.steps)
		b.Run(name+"/Runs", func(b *testing.B) {
			for b.Loop() {
				if runs, err := s.Runs(b.Context(), 0); err != nil || len(runs) != shape.runs {
					b.Fatal(len(runs), err)
				}
			}
			b.ReportMetric(float64(size)/10_000, "B/step")
		})
		b.Run(name+"/Record", func(b *testing.B) {
			for b.Loop() {
				if rec, err := s.Record(b.Context(), "r0000"); err != nil || len(rec.Steps) != shape.steps {
					b.Fatal(len(rec.Steps), err)
				}
			}
		})
	}
}

// Nothing is old most of the times that a program asks.
func BenchmarkPruneNothing(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 200, 5)
	s := open(b, dir, store.Options{})
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
		s := open(b, dir, store.Options{})
		b.StartTimer()
		if p, err := s.Prune(b.Context(), tracetest.NewRun("x", 100).StartedAt); p.Runs != 100 || err != nil {
			b.Fatal(p, err)
		}
	}
}
