package solve

import (
	"cmp"
	"slices"
)

// brancher finds a smallest set of operators for one part of a cover, by branch and
// bound. A plan has an operator of every cut, so it tries each operator of one cut
// in turn and excludes those already tried. The number of cuts is a lower bound on
// the missing operators.
type brancher struct {
	c      cover
	r      *relaxation
	budget *int // what is left to spend, shared by all parts
	order  func(a, b int32) int
	prune  func(b *brancher, cuts [][]int32) bool
	better func(set []int32) bool

	cost   []int8 // 1: undecided, 0: in, excluded: out
	size   int    // operators in
	limit  int    // no plan larger than this is of interest
	isGoal []bool // the goals, by fact
	root   [][]int32
	best   []int32
	stop   bool
}

func newBrancher(c cover, budget *int) *brancher {
	pre, add := make([][]int32, len(c.ops)), make([][]int32, len(c.ops))
	cost := make([]int8, len(c.ops))
	for i, o := range c.ops {
		pre[i], add[i], cost[i] = o.pre, o.add, 1
		if o.isTaken {
			cost[i] = 0
		}
	}
	return &brancher{c: c, r: newRelaxation(c.facts, pre, add, c.goal), budget: budget, cost: cost, limit: len(c.ops)}
}

// findSmallest returns the indices in c.ops of a smallest set, and the cuts at the
// root; as many cuts as operators are a proof. If the budget ends it returns false
// and the best set so far, or nil.
func (b *brancher) findSmallest() (set []int32, cuts [][]int32, exact bool) {
	b.order = func(x, y int32) int { // what causes most first: a good plan early cuts off the rest
		return cmp.Or(cmp.Compare(len(b.c.ops[y].add), len(b.c.ops[x].add)), cmp.Compare(x, y))
	}
	b.prune = func(*brancher, [][]int32) bool { return false }
	b.better = func(set []int32) bool {
		b.limit = len(set) - 1
		b.stop = len(set) == len(b.root)
		return true
	}
	b.visit()
	return b.best, b.root, *b.budget >= 0
}

func (b *brancher) visit() {
	if *b.budget -= charge(len(b.r.uses.ops)); *b.budget < 0 {
		b.stop = true
		return
	}
	cost := append(slices.Clone(b.cost), 0)
	var cuts [][]int32
	n, ok := b.r.cuts(nil, cost, func(cut []int32) { cuts = append(cuts, cut) })
	if b.root == nil {
		b.root = cuts
	}
	switch {
	case !ok || b.size+max(n, b.packingBound()) > b.limit:
		return
	case n == 0:
		if set := b.trim(); b.better(set) {
			b.best = set
		}
		return
	case b.prune(b, cuts):
		return
	}
	choices := slices.MinFunc(cuts, func(a, b []int32) int { return len(a) - len(b) })
	slices.SortFunc(choices, b.order)
	tried := 0
	for _, o := range choices {
		b.cost[o], b.size = 0, b.size+1
		b.visit()
		b.cost[o], b.size = costExcluded, b.size-1
		tried++
		if b.stop {
			break
		}
	}
	for _, o := range choices[:tried] {
		b.cost[o] = 1
	}
}

// packingBound is another lower bound on the missing operators. An operator that
// causes k open goals pays 1/k of each, so that a goal costs at least its cheapest
// share. It is the sharper bound if single operators cause many goals.
func (b *brancher) packingBound() int {
	if b.isGoal == nil {
		b.isGoal = flags(b.c.facts, b.c.goal)
	}
	open := slices.Clone(b.isGoal)
	for i, o := range b.c.ops {
		if b.cost[i] == 0 {
			for _, f := range o.add {
				open[f] = false
			}
		}
	}
	widest := make([]int, b.c.facts)
	for i, o := range b.c.ops {
		if b.cost[i] != 1 {
			continue
		}
		k := 0
		for _, f := range o.add {
			if open[f] {
				k++
			}
		}
		for _, f := range o.add {
			widest[f] = max(widest[f], k)
		}
	}
	const unit = 720720 // divided by every number up to 16 without rest, so that shares add up exactly
	shares := 0
	for _, f := range b.c.goal {
		if open[f] && widest[f] > 0 {
			shares += unit / widest[f]
		}
	}
	return (shares + unit - 1) / unit
}

// trim is the current set without the operators that it does not need. A set as
// small as the bound needs all of them.
func (b *brancher) trim() []int32 {
	in := make([]bool, len(b.c.ops))
	var set []int32
	for i, o := range b.c.ops {
		in[i] = b.cost[i] == 0
		if in[i] && !o.isTaken {
			set = append(set, int32(i))
		}
	}
	if len(set) == len(b.root) {
		return set
	}
	return slices.DeleteFunc(set, func(o int32) bool {
		in[o] = false
		if holdAll(b.c.closure(in), b.c.goal) {
			return true
		}
		in[o] = true
		return false
	})
}
