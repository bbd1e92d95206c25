package verify

import (
	"fmt"
	"slices"

	"errand/planner/plan"
)

// Solver solves problems. [CheckStable] tests the given one.
type Solver func(plan.Problem) (plan.Result, error)

// CheckStable tests properties of a planner that a single answer can't show. The answer must be
// the same to the byte if the problem's lists are reordered or a tool is listed twice, and
// the planner must not modify the problem.
func CheckStable(p plan.Problem, solve Solver) []Violation {
	c := &checker{}
	first := ""
	for i, variant := range variants(p) {
		before := canonicalJSON(variant)
		r, err := solve(variant)
		if after := canonicalJSON(variant); after != before {
			c.addViolation("world", "planning changed the problem from %s to %s", before, after)
		}
		answer := canonicalJSON(r)
		if err != nil {
			answer = "error: " + err.Error()
		}
		if i == 0 {
			first = answer
		} else if answer != first {
			c.addViolation("steady", "the same problem is answered with %s and with %s", first, answer)
		}
	}
	return c.violations
}

// variants returns p itself, a second copy, one with reversed lists, and one with shuffled
// lists and the first tool doubled. They share no lists.
func variants(p plan.Problem) []plan.Problem {
	return []plan.Problem{p, p, reorder(p, reverseOrder, 0), reorder(p, oddFirst, min(1, len(p.Capabilities)))}
}

func reorder(p plan.Problem, order func(n int) []int, doubled int) plan.Problem {
	facts := func(list []string) []string { return pick(list, order(len(list))) }
	p.World, p.Goal = facts(p.World), facts(p.Goal)
	p.Capabilities = append(pick(p.Capabilities, order(len(p.Capabilities))), p.Capabilities[:doubled]...)
	for i := range p.Capabilities {
		t := &p.Capabilities[i]
		t.CanAchieve, t.Requires, t.Effects, t.Params = facts(t.CanAchieve), facts(t.Requires), facts(t.Effects), facts(t.Params)
	}
	return p
}

func pick[T any](list []T, places []int) []T {
	out := make([]T, 0, len(list)+1)
	for _, i := range places {
		out = append(out, list[i])
	}
	return out
}

func reverseOrder(n int) []int {
	out := oddFirst(n)
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// oddFirst returns the odd positions below n, followed by the even ones.
func oddFirst(n int) []int {
	out := make([]int, 0, n)
	for start := range 2 {
		for i := 1 - start; i < n; i += 2 {
			out = append(out, i)
		}
	}
	return out
}

func canonicalJSON(v any) string {
	b, err := plan.Canonical(v)
	if err != nil {
		return fmt.Sprint("not written: ", err)
	}
	return string(b)
}
