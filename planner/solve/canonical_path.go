package solve

import (
	"cmp"
	"slices"
)

// pathSet is the set of all shortest paths of an exhausted search: the best
// continuation from each state.
type pathSet struct {
	a          *graphSearch
	remainders map[int32]pathRest // by node
	budget     int

	best rank
	ops  []int32 // in order
}

// pathRest is the continuation of a path that ranks first, with side effects counted
// at their minimum.
type pathRest struct {
	rank
	next, operator int32
}

// canonical picks the shortest path to the goal that ranks first. It knows the least
// rank of the continuation of each state and skips a path that can't rank first.
// When the budget ends it takes the best path so far.
func (a *graphSearch) canonical(goal int32) []int32 {
	s := &pathSet{a: a, budget: canonicalBudget}
	s.rankBackward(a.nodes[goal].g)
	for t := s.remainders[0]; t.next >= 0; t = s.remainders[t.next] {
		s.ops = append(s.ops, a.s.ids[t.operator])
	}
	s.best = a.s.k.rank(s.ops)
	s.walkForward(0, rank{}, nil)
	return s.ops
}

// successors calls visit with each operator that leads from node i one step nearer
// to the goal.
func (s *pathSet) successors(i int32, visit func(op, next int32, after pathRest)) {
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

func (s *pathSet) rankBackward(length int32) {
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

// addOperator is a rank with one more operator. Adding the same operator keeps the
// order of two ranks, so that the best continuation is part of the best path.
func (s *pathSet) addOperator(r rank, op int32) rank {
	id := s.a.s.ids[op]
	at, _ := slices.BinarySearch(r.ops, id)
	return rank{
		r.deletes + s.a.s.t.ops[id].deletes, r.sides + s.a.s.k.idle[id],
		slices.Insert(slices.Clone(r.ops), at, id),
	}
}

// walkForward walks every path that may rank before the best one.
func (s *pathSet) walkForward(i int32, so rank, path []int32) {
	if s.budget--; s.budget < 0 {
		return
	}
	after := s.remainders[i]
	if after.next < 0 {
		if r := s.a.s.k.rank(path); r.compare(s.best) < 0 {
			s.best, s.ops = r, slices.Clone(path)
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
		s.walkForward(st.next, s.addOperator(so, st.op), append(slices.Clone(path), s.a.s.ids[st.op]))
	}
}
