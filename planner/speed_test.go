package planner

import (
	"testing"
	"time"

	"errand/build/tier"
	"errand/planner/plan"
)

// fastest is the least time that f takes, of as many runs as it takes to come
// below enough, 50 at most: what a busy machine adds is not ours.
func fastest(enough time.Duration, f func()) time.Duration {
	best := time.Hour
	for range 50 {
		start := time.Now()
		f()
		if best = min(best, time.Since(start)); best <= enough {
			break
		}
	}
	return best
}

// patience is how many times its target something may take. In the quick tier
// other packages are tested at the same time, and the race detector slows all of
// it down. The benchmarks say what the times are on a quiet machine.
func patience() time.Duration {
	if raced || !tier.IsLong() {
		return 40
	}
	return 3
}

// TestTargets: the times that the project promises are not out of reach.
func TestTargets(t *testing.T) {
	within := func(name string, target time.Duration, f func()) {
		t.Helper()
		if took := fastest(target*patience(), f); took > target*patience() {
			t.Errorf("%s took %v, target %v", name, took, target)
		}
	}
	problem := func(name string, target time.Duration, p plan.Problem) {
		t.Helper()
		within(name, target, func() { mustSolve(t, p) })
	}
	many := litmus(200)
	within("twenty times the litmus goal among 200 tools", 20*50*time.Microsecond, func() {
		for range 20 {
			if _, err := planner.Plan(many); err != nil {
				t.Error(err)
			}
		}
	})
	problem("10,000 tools for one goal", 20*time.Millisecond, generator{Kind: "alternatives", M: 10_000}.problem())
	problem("50 steps among 10,000 tools", 20*time.Millisecond, generator{Kind: "chain_noise", N: 50, Noise: 10_000}.problem())
	problem("a chain of 2,000 steps", 20*time.Millisecond, generator{Kind: "chain", N: 2_000}.problem())
	for _, c := range readCases(t) {
		if !c.Negation {
			problem(c.ID, 10*time.Millisecond, c.problem())
		}
	}
}

// TestGoalsGrow: eight times as many goals take about ten times as long, as
// n log n does. A square would take 64 times as long.
func TestGoalsGrow(t *testing.T) {
	plans := func(n int) func() {
		var goals []plan.Goal
		for i := range n {
			goals = append(goals, search("youtube", f("query %d", i)))
		}
		r := request(goals...)
		return func() {
			if _, err := planner.Plan(r); err != nil {
				t.Error(err)
			}
		}
	}
	few := fastest(0, plans(250))
	if many := fastest(30*few, plans(2000)); many > 30*few {
		t.Errorf("250 goals take %v, 2000 take %v", few, many)
	}
}
