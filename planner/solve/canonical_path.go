package solve

import (
	"cmp"
	"slices"
)

// shortestPaths is the set of all shortest ways of an exhausted search, as the best
// rest of the way from each state.
type shortestPaths struct {
	a          *graphSearch
	remainders map[int32]pathRest // by node
	budget     int

	best rank
	ops  []int32 // in order
}

// pathRest is the way on from a state that ranks first if side effects are counted
// at their least: what no operator in question requires.
type pathRest struct {
	rank
	next, by int32
}

// canonical picks, among all shortest ways to the goal, the one that ranks
// first. It knows for each state the least rank of what follows, so that it
// turns back as soon as a way can't rank before the best one; past a budget
// the best one seen is taken.
func (a *graphSearch) canonical(goal int32) []int32 {
	s := &shortestPaths{a: a, budget: canonicalBudget}
	s.rankBackward(a.nodes[goal].g)
	for t := s.remainders[0]; t.next >= 0; t = s.remainders[t.next] {
		s.ops = append(s.ops, a.s.ids[t.by])
	}
	s.best = a.s.k.rank(s.ops)
	s.walkForward(0, rank{}, nil)
	return s.ops
}

// successors calls visit with each operator that leads from node i one step
// nearer to the goal.
func (s *shortestPaths) successors(i int32, visit func(op, next int32, after pathRest)) {
	var buf []byte
	for k, o := range s.a.s.ops {
		state, ok := o.apply(s.a.nodes[i].state, buf)
		if !ok {
			continue
		}
		buf = state
		j, known := s.a.at[string(state)]
		if !known || s.a.nodes[j].g != s.a.nodes[i].g+1 {
			continue
		}
		if after, leads := s.remainders[j]; leads {
			visit(int32(k), j, after)
		}
	}
}

func (s *shortestPaths) rankBackward(length int32) {
	nodes := s.a.nodes
	byG := make([][]int32, length+1)
	for i, n := range nodes {
		if n.closed && n.g <= length {
			byG[n.g] = append(byG[n.g], int32(i))
		}
	}
	s.remainders = map[int32]pathRest{}
	for _, i := range byG[length] {
		if containsBits(s.a.s.goal, nodes[i].state) {
			s.remainders[i] = pathRest{next: -1}
		}
	}
	for g := length - 1; g >= 0; g-- {
		for _, i := range byG[g] {
			s.successors(i, func(op, next int32, after pathRest) {
				have, ok := s.remainders[i]
				r := s.addOperator(after.rank, op)
				if !ok || r.compare(have.rank) < 0 {
					s.remainders[i] = pathRest{r, next, op}
				}
			})
		}
	}
}

// addOperator is a rank with one more operator. Its order of names is kept by adding
// the same to both sides, so that the best rest of a way is part of the best
// way.
func (s *shortestPaths) addOperator(r rank, op int32) rank {
	id := s.a.s.ids[op]
	at, _ := slices.BinarySearch(r.ops, id)
	return rank{
		r.deletes + s.a.s.t.ops[id].deletes, r.sides + s.a.s.k.idle[id],
		slices.Insert(slices.Clone(r.ops), at, id),
	}
}

// walkForward walks every way that may still rank before the best one.
func (s *shortestPaths) walkForward(i int32, so rank, way []int32) {
	if s.budget--; s.budget < 0 {
		return
	}
	after := s.remainders[i]
	if after.next < 0 {
		if r := s.a.s.k.rank(way); r.compare(s.best) < 0 {
			s.best, s.ops = r, slices.Clone(way)
		}
		return
	}
	least := rank{so.deletes + after.deletes, so.sides + after.sides, slices.Sorted(slices.Values(slices.Concat(so.ops, after.ops)))}
	if least.compare(s.best) >= 0 {
		return
	}
	type step struct {
		op, next int32
		after    rank
	}
	var steps []step
	s.successors(i, func(op, next int32, after pathRest) {
		steps = append(steps, step{op, next, s.addOperator(after.rank, op)})
	})
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Or(a.after.compare(b.after), cmp.Compare(a.op, b.op)) })
	for _, st := range steps {
		s.walkForward(st.next, s.addOperator(so, st.op), append(slices.Clone(way), s.a.s.ids[st.op]))
	}
}
