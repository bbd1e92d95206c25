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
				solve(b, p)
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
				solve(b, p)
			}
		})
	}
}

func BenchmarkLitmus(b *testing.B) {
	r := request(visit("youtube"), search("", "nvidia"))
	r.Text = "open youtube and search nvidia"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := planner.Plan(r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGoals(b *testing.B) {
	tools := slices.Clone(allTools)
	for i := range 200 - len(tools) {
		tools = append(tools, plan.Capability{Name: fmt.Sprintf("other.tool%03d", i), CanAchieve: []string{fmt.Sprintf("key%d", i)}, Requires: []string{fmt.Sprintf("f%d", i)}, Effects: []string{fmt.Sprintf("f%d", i+1)}})
	}
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
