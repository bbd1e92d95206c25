package solve

import "slices"

// Budgets of the search over states, counted as charge does for each new one.
const (
	stateBudget   = 250_000
	plateauBudget = 100_000 // once a shortest way is known: for the others, to choose among them
)

// states is a task in which facts can end, reduced to the literals that matter. A
// state has a bit for each of them.
type states struct {
	t    *task
	ids  []int32 // operators, by place in the task
	ops  []stateOp
	lits []lit // by bit
	init string
	goal string
	r    *relaxation
	k    *ranker
}

type stateOp struct{ pre, add, keep string } // keep has the bits that do not end

// newStates takes the operators marked in. A state is a string, so that it can be
// the key of a map.
func newStates(t *task, goal []lit, in []bool) *states {
	needed := t.markNeeded(goal, in)
	s := &states{t: t, k: newRanker(t, goal, in)}
	bit := make([]int32, len(t.init))
	for l, ok := range needed {
		bit[l] = -1
		if ok {
			bit[l] = int32(len(s.lits))
			s.lits = append(s.lits, lit(l))
		}
	}
	mask := func(lits []lit) string {
		b := make([]byte, (len(s.lits)+7)/8)
		for _, l := range lits {
			if i := bit[l]; i >= 0 {
				b[i/8] |= 1 << (i % 8)
			}
		}
		return string(b)
	}
	var pre, add [][]int32
	for i, ok := range in {
		if !ok {
			continue
		}
		o := t.ops[i]
		keep := []byte(mask(o.del))
		for j := range keep {
			keep[j] = ^keep[j]
		}
		s.ids = append(s.ids, int32(i))
		s.ops = append(s.ops, stateOp{mask(o.pre), mask(o.add), string(keep)})
		pre = append(pre, renumber(o.pre, bit))
		add = append(add, renumber(o.add, bit))
	}
	var holds []lit
	for _, l := range s.lits {
		if t.init[l] {
			holds = append(holds, l)
		}
	}
	s.init, s.goal = mask(holds), mask(goal)
	s.r = newRelaxation(len(s.lits), pre, add, renumber(goal, bit))
	return s
}

func containsBits(a, b string) bool {
	for i := range len(a) {
		if a[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

// apply returns the state after o, written into buf; false if o does not apply.
func (o stateOp) apply(state string, buf []byte) ([]byte, bool) {
	if !containsBits(o.pre, state) {
		return nil, false
	}
	buf = buf[:0]
	for i := range len(state) {
		buf = append(buf, state[i]&o.keep[i]|o.add[i])
	}
	return buf, true
}

// lowerBound is the number of disjoint cuts between a state and the goal; false if
// the goal can't be reached. yield may be nil.
func (s *states) lowerBound(state string, yield func([]int32)) (int, bool) {
	var from []int32
	for b := range s.lits {
		if state[b/8]>>(b%8)&1 == 1 {
			from = append(from, int32(b))
		}
	}
	cost := make([]int8, len(s.ops)+1)
	for i := range cost {
		cost[i] = 1
	}
	return s.r.cuts(from, cost, yield)
}

// node is a state that the search has found.
type node struct {
	state    string
	g, h     int32
	parent   int32 // node before it on the shortest way found, -1 at the start
	operator int32 // the operator that led here
	closed   bool
}

// graphSearch is A* over states. The bound never overestimates but may fall along a
// path, so that a state is opened again for a shorter path.
type graphSearch struct {
	s      *states
	nodes  []node
	at     map[string]int32
	open   [][]int32 // by f = g + weight·h; the last one in is opened first
	weight int32
	budget int
}

func (s *states) search(budget int, weight int32) *graphSearch {
	a := &graphSearch{s: s, at: map[string]int32{}, budget: budget, weight: weight}
	a.addState(s.init, 0, -1, -1)
	return a
}

func (a *graphSearch) addState(state string, g, parent, by int32) {
	i, known := a.at[state]
	if !known {
		h, ok := a.s.lowerBound(state, nil)
		a.budget -= charge((h + 1) * len(a.s.r.uses.ops) / 2)
		if !ok {
			h = int(unreached)
		}
		i = int32(len(a.nodes))
		a.at[state] = i
		a.nodes = append(a.nodes, node{state: state, g: g, h: int32(h), parent: parent, operator: by})
	} else if n := &a.nodes[i]; g < n.g {
		n.g, n.parent, n.operator, n.closed = g, parent, by, false
	} else {
		return
	}
	if h := a.nodes[i].h; h < unreached {
		f := int(g + a.weight*h)
		for len(a.open) <= f {
			a.open = append(a.open, nil)
		}
		a.open[f] = append(a.open[f], i)
	}
}

// run opens states until it reaches the goal, and then every state that may lie on
// an equally short path. It returns the goal's node with the shortest path, -1 if
// there is none, and whether the search was exhausted.
func (a *graphSearch) run() (goal int32, exact bool) {
	goal = -1
	var buf []byte
	for f := 0; f < len(a.open); f++ {
		for len(a.open[f]) > 0 {
			i := a.open[f][len(a.open[f])-1]
			a.open[f] = a.open[f][:len(a.open[f])-1]
			n := a.nodes[i]
			if n.closed || int(n.g+a.weight*n.h) > f {
				continue
			}
			if goal >= 0 && (a.weight > 1 || n.g+n.h > a.nodes[goal].g) {
				return goal, true
			}
			a.nodes[i].closed = true
			if containsBits(a.s.goal, n.state) {
				if goal < 0 || n.g < a.nodes[goal].g {
					goal = i
					a.budget = min(a.budget, plateauBudget)
				}
				continue
			}
			if a.budget < 0 {
				return goal, false
			}
			for k, o := range a.s.ops {
				if next, ok := o.apply(n.state, buf); ok {
					buf = next
					a.addState(string(next), n.g+1, i, int32(k))
					if low := a.estimate(string(next)); low < f {
						f = low
					}
				}
			}
		}
	}
	return goal, true
}

// estimate is the f of a state that was just found. It can be below the current
// level, because the bound may fall.
func (a *graphSearch) estimate(state string) int {
	n := a.nodes[a.at[state]]
	if n.closed || n.h >= unreached {
		return 1 << 30
	}
	return int(n.g + a.weight*n.h)
}

// path lists the operators, by index in the task, that lead to a node.
func (a *graphSearch) path(i int32) []int32 {
	var out []int32
	for ; a.nodes[i].parent >= 0; i = a.nodes[i].parent {
		out = append(out, a.s.ids[a.nodes[i].operator])
	}
	slices.Reverse(out)
	return out
}
