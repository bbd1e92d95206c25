package planner

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"errand/build/must"
	"errand/planner/plan"
	"errand/planner/verify"
)

// TestSetCovers compares with trying every subset of up to 14 tools: covers
// are where a greedy planner and a plain bound go wrong.
func TestSetCovers(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		facts, tools, width := 6+r.IntN(9), 6+r.IntN(9), 2+r.IntN(4)
		var p plan.Problem
		all := uint(1)<<facts - 1
		for i := range facts {
			p.Goal = append(p.Goal, f("g%02d", i))
		}
		sets := make([]uint, tools)
		for i := range tools {
			var effects []string
			for _, x := range r.Perm(facts)[:min(width, facts)] {
				effects = append(effects, f("g%02d", x))
				sets[i] |= 1 << x
			}
			p.Capabilities = append(p.Capabilities, tool(f("s%02d", i), nil, effects))
		}
		least, covered := tools+1, uint(0)
		for pick := range uint(1) << tools {
			var union uint
			for i := range tools {
				if pick>>i&1 == 1 {
					union |= sets[i]
				}
			}
			if covered |= union; union == all {
				least = min(least, bits.OnesCount(pick))
			}
		}
		got := mustSolve(t, p)
		for _, fault := range verify.Check(p, got) {
			t.Errorf("cover %d: %s", seed, fault)
		}
		if covered != all {
			if got.Status() != plan.Partial {
				t.Errorf("cover %d: %s, want partial", seed, got.Status())
			}
			continue
		}
		if q, _ := got.Plan(); q.Len() != least {
			t.Errorf("cover %d: %d tools, want %d", seed, q.Len(), least)
		}
		if proof, _ := got.Proof(); proof.Kind == plan.Unproved {
			t.Errorf("cover %d is not proved", seed)
		}
	}
}

// TestBudget: a plan that a budget cut short is valid and never called
// smallest.
func TestBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var p plan.Problem
	for i := range 40 {
		p.Goal = append(p.Goal, f("g%02d", i))
		p.Capabilities = append(p.Capabilities, tool(f("z%02d", i), nil, []string{f("g%02d", i)}))
	}
	for i := range 60 {
		var effects []string
		for _, x := range r.Perm(40)[:4] {
			effects = append(effects, f("g%02d", x))
		}
		p.Capabilities = append(p.Capabilities, tool(f("s%02d", i), nil, effects))
	}
	for _, budget := range []int{1, 5, 50} {
		got, err := Solve(p, &Options{Budget: budget})
		must.Succeed(t, err)
		for _, fault := range verify.Check(p, got) {
			t.Errorf("budget %d: %s", budget, fault)
		}
		if proof, _ := got.Proof(); got.Status() != plan.Success || proof.Kind != plan.Unproved {
			t.Errorf("budget %d: %s with proof %q, want success with none", budget, got.Status(), proof.Kind)
		}
	}
	// Where facts end, a budget may leave no plan at all; then it says so.
	for _, c := range readCases(t) {
		if !c.Negation || c.Expect.Status != plan.Success {
			continue
		}
		for _, budget := range []int{1, 4, 16} {
			got, err := Solve(c.problem(), &Options{Budget: budget})
			must.Succeed(t, err)
			proof, planned := got.Proof()
			q, _ := got.Plan()
			switch {
			case !planned && got.Status() != plan.Blocked:
				t.Errorf("%s, budget %d: %s", c.ID, budget, got.Status())
			case planned && q.Len() > *c.Expect.Actions && proof.Kind != plan.Unproved:
				t.Errorf("%s, budget %d: %d actions called smallest, want %d", c.ID, budget, q.Len(), *c.Expect.Actions)
			}
		}
	}
}
