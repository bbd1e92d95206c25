package solve

import (
	"encoding/binary"
	"maps"
	"slices"
)

// Budgets count search nodes. A node costs one pass of cuts, and more in a large
// problem, see charge.
const (
	setBudget       = 100_000 // sets of operators, where nothing ends
	canonicalBudget = 4_000   // looking for the canonical one among smallest plans, for each part
)

// charge is the cost of a search node in a problem whose operators have so many
// literals.
func charge(literals int) int { return 1 + literals/256 }

// selection is a set of operators that reaches a goal where no fact ends.
type selection struct {
	ops   []int32   // by place in the task
	cuts  [][]int32 // disjoint; as many as ops, they prove that ops is smallest
	exact bool      // ops is smallest: by the cuts or by exhausted search
}

// selector builds a selection part by part.
type selector struct {
	selection
	budget       int
	replacements map[int32]int32 // dropped operator → the one that replaces it
}

// selectSmallest finds the canonical smallest set of operators that reaches the
// goal. The goal must be reachable, and no fact that matters may end. in marks the
// relevant operators.
func (t *task) selectSmallest(goal []lit, in []bool, budget int) selection {
	s := &selector{selection: selection{exact: true}, budget: budget, replacements: map[int32]int32{}}
	k := newRanker(t, goal, in)
	c := newCover(t, goal, s.keepBest(t, k, goal, in))
	forced, rest := c.force()
	s.force(c, forced)
	forcedOps := slices.Clone(s.ops)
	parts := rest.split()
	chosen := make([][]int32, len(parts))
	for i, part := range parts {
		chosen[i] = s.part(part)
	}
	if s.exact {
		for i, part := range parts {
			chosen[i] = k.canonical(part, chosen[i], forcedOps, canonicalBudget)
		}
		chosen = k.join(parts, chosen, forcedOps)
	}
	s.ops = slices.Concat(append(chosen, forcedOps)...)
	slices.Sort(s.ops)
	s.widenCuts()
	return s.selection
}

// keepBest keeps, of operators with the same requirements and the same relevant
// effects, the one that ranks first. This does not change the canonical plan.
func (s *selector) keepBest(t *task, k *ranker, goal []lit, in []bool) []bool {
	needed := t.markNeeded(goal, in)
	first := map[string]int32{}
	chosen := slices.Clone(in)
	var key []byte
	for i, ok := range in {
		if !ok {
			continue
		}
		key = key[:0]
		for _, l := range t.ops[i].pre {
			key = binary.AppendUvarint(key, uint64(l)+1)
		}
		key = append(key, 0)
		for _, l := range t.ops[i].add {
			if needed[l] {
				key = binary.AppendUvarint(key, uint64(l)+1)
			}
		}
		j, twin := first[string(key)]
		if !twin {
			first[string(key)] = int32(i)
			continue
		}
		drop, keep := int32(i), j
		if d, e := t.ops[i].deletes, t.ops[j].deletes; d < e || d == e && k.idle[i] < k.idle[j] {
			drop, keep = j, int32(i)
			first[string(key)] = keep
		}
		chosen[drop] = false
		s.replacements[drop] = keep
	}
	return chosen
}

// force adds operators that are the sole cause of a fact. Each is a cut.
func (s *selector) force(c cover, forced []int) {
	for _, i := range forced {
		s.ops = append(s.ops, c.ops[i].id)
		s.cuts = append(s.cuts, []int32{c.ops[i].id})
	}
}

// part returns a smallest set for a part. It simplifies the part until only search
// is left.
func (s *selector) part(c cover) []int32 {
	smaller, by := c.dominate()
	if by == nil {
		return s.search(c)
	}
	maps.Copy(s.replacements, by)
	forced, rest := smaller.force()
	var set []int32
	for _, i := range forced {
		set = append(set, smaller.ops[i].id)
		s.cuts = append(s.cuts, []int32{smaller.ops[i].id})
	}
	for _, p := range rest.split() {
		set = append(set, s.part(p)...)
	}
	return set
}

func (s *selector) search(c cover) []int32 {
	places, cuts, exact := newBrancher(c, &s.budget).findSmallest()
	s.exact = s.exact && exact
	if places == nil {
		places = c.findAnySet()
	}
	set := make([]int32, len(places))
	for i, p := range places {
		set[i] = c.ops[p].id
	}
	for _, cut := range cuts {
		ids := make([]int32, len(cut))
		for i, p := range cut {
			ids[i] = c.ops[p].id
		}
		s.cuts = append(s.cuts, ids)
	}
	return set
}

// findAnySet is a set that reaches the goals: all operators without those that are
// not needed.
func (c cover) findAnySet() []int32 {
	in := make([]bool, len(c.ops))
	for i := range in {
		in[i] = true
	}
	var set []int32
	for i, o := range c.ops {
		if o.isTaken {
			continue
		}
		in[i] = false
		if !holdAll(c.closure(in), c.goal) {
			in[i] = true
			set = append(set, int32(i))
		}
	}
	return set
}

// widenCuts adds to each cut the operators that one of its operators replaced, so
// that it is a cut of the full task.
func (s *selector) widenCuts() {
	cutOf := map[int32]int{}
	for i, cut := range s.cuts {
		for _, o := range cut {
			cutOf[o] = i
		}
	}
	for o := range s.replacements {
		last := o
		for next, ok := s.replacements[last]; ok; next, ok = s.replacements[last] {
			last = next
		}
		if i, ok := cutOf[last]; ok {
			s.cuts[i] = append(s.cuts[i], o)
		}
	}
	for _, cut := range s.cuts {
		slices.Sort(cut)
	}
	slices.SortFunc(s.cuts, slices.Compare[[]int32])
}
