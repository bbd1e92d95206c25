package planner

import (
	"fmt"
	"slices"
	"testing"

	"errand/planner/plan"
)

func BenchmarkCases(b *testing.B) {
	for _, c := range readCases(b) {
		p := c.problem()
		b.Run(c.ID+"/"+c.Family, func(b *testing.B) {
			for b.Loop() {
				mustSolve(b, p)
			}
		})
	}
}

func BenchmarkScale(b *testing.B) {
	for _, g := range []generator{
		{Kind: "chain", N: 2000},
		{Kind: "chain_noise", N: 50, Noise: 10000},
		{Kind: "alternatives", M: 10000},
		{Kind: "wide", K: 1000},
		{Kind: "wide", K: 4000},
		{Kind: "diamonds", K: 100, Par: 8},
		{Kind: "shared", D: 100, K: 100},
		{Kind: "blocked_deep", N: 3000},
		{Kind: "setcover_pairs", K: 500},
		{Kind: "decoys", N: 200, Width: 50},
	} {
		p := g.problem()
		b.Run(fmt.Sprintf("%s/%d", g.Kind, max(g.N, g.M, g.K, g.Noise)), func(b *testing.B) {
			for b.Loop() {
				mustSolve(b, p)
			}
		})
	}
}

// strangers are n tools that have nothing to do with any goal.
func strangers(n int) []plan.Capability {
	var out []plan.Capability
	for i := range n {
		out = append(out, plan.Capability{Name: f("other.tool%03d", i), CanAchieve: []string{f("key%d", i)}, Requires: []string{f("f%d", i)}, Effects: []string{f("f%d", i+1)}})
	}
	return out
}

func litmus(tools int) Request {
	r := request(visit("youtube"), search("", "nvidia"))
	r.Text = "open youtube and search nvidia"
	return withTools(r, append(slices.Clone(allTools), strangers(tools-len(allTools))...)...)
}

func BenchmarkLitmus(b *testing.B) {
	for _, tools := range []int{len(allTools), 200} {
		r := litmus(tools)
		b.Run(f("%d tools", tools), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := planner.Plan(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestUnrelatedToolsAreSkipped: tools that are unrelated to a goal are dropped before
// anything is computed from them.
func TestUnrelatedToolsAreSkipped(t *testing.T) {
	allocs := func(tools int) float64 {
		r := litmus(tools)
		return testing.AllocsPerRun(20, func() {
			if _, err := planner.Plan(r); err != nil {
				t.Error(err)
			}
		})
	}
	if few, many := allocs(len(allTools)), allocs(400); many > few+20 {
		t.Errorf("%.0f allocations with 400 tools, %.0f with %d", many, few, len(allTools))
	}
}

func BenchmarkGoals(b *testing.B) {
	tools := slices.Concat(allTools, strangers(200-len(allTools)))
	for _, n := range []int{250, 500, 1000, 2000, 4000} {
		var goals []plan.Goal
		for i := range n {
			goals = append(goals, search("youtube", fmt.Sprintf("query %d", i)))
		}
		r := withTools(request(goals...), tools...)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := planner.Plan(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
