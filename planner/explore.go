package planner

import (
	"cmp"
	"slices"
	"strings"
)

// exploreBudget bounds how many states are visited to find the largest part of
// a goal that can hold at once.
const exploreBudget = 100_000

// largest is the part of the goal that holds in the best reachable state: most
// goals, then fewest operators, then the smaller names kept. It is nil if no
// state beats the one at the start, and exact if every state was visited.
func (s *states) largest(goal []lit) (part []lit, exact bool) {
	goal = slices.Clone(goal)
	slices.SortFunc(goal, func(a, b lit) int { return strings.Compare(s.t.literal(a), s.t.literal(b)) })
	bits := make([]int, len(goal))
	for i, l := range goal {
		bits[i] = slices.Index(s.lits, l)
	}
	held := func(state string) []int {
		var out []int
		for i, b := range bits {
			if state[b/8]>>(b%8)&1 == 1 {
				out = append(out, i)
			}
		}
		return out
	}
	best, depth := held(s.init), 0
	improved := false
	seen := map[string]bool{s.init: true}
	level := []string{s.init}
	var buf []byte
	for d := 1; len(level) > 0; d++ {
		var next []string
		for _, state := range level {
			for _, o := range s.ops {
				after, ok := o.apply(state, buf)
				if !ok {
					continue
				}
				if buf = after; seen[string(after)] {
					continue
				}
				if len(seen) >= exploreBudget {
					return s.part(goal, best, improved), false
				}
				n := string(after)
				seen[n] = true
				next = append(next, n)
				h := held(n)
				if c := cmp.Or(cmp.Compare(len(best), len(h)), cmp.Compare(d, depth), slices.Compare(h, best)); c < 0 {
					best, depth, improved = h, d, true
				}
			}
		}
		level = next
	}
	return s.part(goal, best, improved), true
}

func (s *states) part(goal []lit, places []int, improved bool) []lit {
	if !improved {
		return nil
	}
	var out []lit
	for _, i := range places {
		out = append(out, goal[i])
	}
	return sorted(out)
}

// obstacle is one literal that would make the goal reachable if it held: what
// is not a goal first, by name. It is nil if no single one does, or none is
// found within the budget.
func (t *task) obstacle(goal []lit, in []bool, budget int) []lit {
	needed := t.neededBy(goal, in)
	var candidates []lit
	for l, ok := range needed {
		if ok && !t.init[l] {
			candidates = append(candidates, lit(l))
		}
	}
	isGoal := func(l lit) int {
		if slices.Contains(goal, l) {
			return 1
		}
		return 0
	}
	slices.SortFunc(candidates, func(a, b lit) int {
		return cmp.Or(cmp.Compare(isGoal(a), isGoal(b)), strings.Compare(t.literal(a), t.literal(b)))
	})
	for _, l := range candidates {
		changed := *t
		changed.init = slices.Clone(t.init)
		changed.init[l], changed.init[not(l)] = true, false
		reached := changed.closure(changed.init, nil)
		a := newStates(&changed, goal, changed.relevant(goal, reached, true)).search(budget, 1)
		found, _ := a.run()
		if found >= 0 {
			return []lit{l}
		}
		if budget = a.budget; budget <= 0 {
			break
		}
	}
	return nil
}
