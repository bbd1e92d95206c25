package solve

import (
	"cmp"
	"slices"
	"strings"
)

// exploreBudget bounds the number of visited states in findLargest.
const exploreBudget = 100_000

// findLargest is the part of the goal that holds in the best reachable state: most
// goals, then fewest operators, then smallest names. It is nil if no state is better
// than the first, and exact if every state was visited.
func (s *states) findLargest(goal []lit) (part []lit, exact bool) {
	goal = slices.Clone(goal)
	slices.SortFunc(goal, func(a, b lit) int { return strings.Compare(s.t.literal(a), s.t.literal(b)) })
	bits := make([]int, len(goal))
	for i, l := range goal {
		bits[i] = slices.Index(s.lits, l)
	}
	factsOf := func(state string) []int {
		var out []int
		for i, b := range bits {
			if state[b/8]>>(b%8)&1 == 1 {
				out = append(out, i)
			}
		}
		return out
	}
	best, depth := factsOf(s.init), 0
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
				if len(seen)*charge(len(s.r.uses.ops)) >= exploreBudget {
					return s.pickLiterals(goal, best, improved), false
				}
				n := string(after)
				seen[n] = true
				next = append(next, n)
				h := factsOf(n)
				if c := cmp.Or(cmp.Compare(len(best), len(h)), cmp.Compare(d, depth), slices.Compare(h, best)); c < 0 {
					best, depth, improved = h, d, true
				}
			}
		}
		level = next
	}
	return s.pickLiterals(goal, best, improved), true
}

func (s *states) pickLiterals(goal []lit, places []int, improved bool) []lit {
	if !improved {
		return nil
	}
	var out []lit
	for _, i := range places {
		out = append(out, goal[i])
	}
	return sortLiterals(out)
}
