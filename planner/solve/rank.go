package solve

import (
	"cmp"
	"slices"
)

// rank orders plans of equal size: fewest deletes, then fewest side effects,
// then the smallest sorted list of operators (whose numbers follow their
// names).
type rank struct {
	deletes, sides int
	ops            []int32 // sorted
}

func (r rank) compare(o rank) int {
	return cmp.Or(cmp.Compare(r.deletes, o.deletes), cmp.Compare(r.sides, o.sides), slices.Compare(r.ops, o.ops))
}

// ranker computes ranks for one goal.
type ranker struct {
	t    *task
	goal []bool // by literal
	idle []int  // by operator: side effects that it has in every plan
}

// newRanker counts the side effects that each operator has in every plan: effects
// outside the goal that no operator in question requires.
func newRanker(t *task, goal []lit, in []bool) *ranker {
	k := &ranker{t: t, goal: make([]bool, len(t.init)), idle: make([]int, len(t.ops))}
	for _, l := range goal {
		k.goal[l] = true
	}
	needed := t.markNeeded(goal, in)
	for i, ok := range in {
		if ok {
			k.idle[i] = k.countSideEffects(t.ops[i], needed)
		}
	}
	return k
}

// countSideEffects counts the facts that o causes beyond the goal and support.
func (k *ranker) countSideEffects(o op, support []bool) int {
	n := 0
	for _, l := range o.add {
		if l&1 == 0 && !k.goal[l] && !support[l] {
			n++
		}
	}
	return n
}

// rank ranks the plan made of ops.
func (k *ranker) rank(ops []int32) rank {
	r := rank{ops: slices.Sorted(slices.Values(ops))}
	support := make([]bool, len(k.t.init))
	for _, o := range ops {
		for _, l := range k.t.ops[o].pre {
			support[l] = true
		}
	}
	for _, o := range ops {
		r.deletes += k.t.ops[o].deletes
		r.sides += k.countSideEffects(k.t.ops[o], support)
	}
	return r
}

// canonical looks for the plan of a part that ranks first among those of the size of
// known. beside are the operators of the plan outside the part. When the budget ends
// it takes the best plan so far, which still has the least size.
func (k *ranker) canonical(c cover, known, beside []int32, budget int) []int32 {
	b := newBrancher(c, &budget)
	place := make(map[int32]int32, len(c.ops))
	for i, o := range c.ops {
		place[o.id] = int32(i)
	}
	whole := func(set []int32) rank {
		ids := slices.Clone(beside)
		for _, i := range set {
			ids = append(ids, c.ops[i].id)
		}
		return k.rank(ids)
	}
	for _, id := range known {
		b.best = append(b.best, place[id])
	}
	best := whole(b.best)
	var fixedDeletes, fixedSides int
	for _, o := range beside {
		fixedDeletes += k.t.ops[o].deletes
		fixedSides += k.idle[o]
	}
	b.limit = len(known)
	b.order = func(x, y int32) int {
		p, q := c.ops[x].id, c.ops[y].id
		return cmp.Or(cmp.Compare(k.t.ops[p].deletes, k.t.ops[q].deletes), cmp.Compare(k.idle[p], k.idle[q]), cmp.Compare(p, q))
	}
	b.better = func(set []int32) bool {
		r := whole(set)
		if len(set) != len(known) || r.compare(best) >= 0 {
			return false
		}
		best = r
		return true
	}
	b.prune = func(b *brancher, cuts [][]int32) bool {
		return k.lowerBound(b, cuts, beside, fixedDeletes, fixedSides).compare(best) >= 0
	}
	b.visit()
	out := make([]int32, len(b.best))
	for i, o := range b.best {
		out[i] = c.ops[o].id
	}
	return out
}

// lowerBound is a rank that no plan below a node can beat: the operators that are
// in, the cheapest operator of each cut, and the smallest names for the rest.
func (k *ranker) lowerBound(b *brancher, cuts [][]int32, beside []int32, deletes, sides int) rank {
	r := rank{deletes, sides, slices.Clone(beside)}
	var free []int32
	for i, o := range b.c.ops {
		switch {
		case o.isTaken || b.cost[i] == costExcluded:
		case b.cost[i] == 0:
			r.deletes += k.t.ops[o.id].deletes
			r.sides += k.idle[o.id]
			r.ops = append(r.ops, o.id)
		default:
			free = append(free, o.id)
		}
	}
	for _, cut := range cuts {
		d, s := 1<<30, 1<<30
		for _, i := range cut {
			id := b.c.ops[i].id
			d, s = min(d, k.t.ops[id].deletes), min(s, k.idle[id])
		}
		r.deletes += d
		r.sides += s
	}
	r.ops = append(r.ops, free[:min(len(free), b.limit-b.size)]...)
	slices.Sort(r.ops)
	return r
}
