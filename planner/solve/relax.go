package solve

// relaxation is a problem in which nothing ends, with dense fact numbers, made
// for computing cuts many times over. Two facts are added: start, which always
// holds and stands in for an empty requirement, and end, which a free operator
// causes from all goals.
//
//	hmax: how many operators that cost something lie, at least, on the way to a
//	      fact, where an operator is as far as its farthest requirement
//	cut:  the operators that lead from "before" into the zone from which the
//	      end is free; every plan crosses it. They become free, and the next cut
//	      shares no operator with this one.
//
// The number of cuts is a lower bound on the size of any plan (the LM-cut
// bound of Helmert and Domshlak, ICAPS 2009).
type relaxation struct {
	start, end int32
	pre, add   [][]int32
	uses       index
	makers     index

	// Scratch, valid within one call.
	value   []int32 // hmax by fact, unreached if it has none
	farther []int32 // by operator: the requirement that came last, -1 before it applies
	missing []int32
	done    []bool
	mark    []uint8
	inCut   []bool
	current []int32
	next    []int32
}

const (
	unreached    = int32(1) << 30
	costExcluded = int8(-1) // cost of an operator that may not be used
)

const (
	inZone uint8 = 1 << iota
	beforeZone
)

// newRelaxation takes operators as lists of required and caused facts below n.
func newRelaxation(n int, pre, add [][]int32, goal []int32) *relaxation {
	r := &relaxation{start: int32(n), end: int32(n + 1)}
	r.pre = make([][]int32, 0, len(pre)+1)
	r.add = append(make([][]int32, 0, len(add)+1), add...)
	for _, p := range pre {
		r.pre = append(r.pre, orStart(p, r.start))
	}
	r.pre = append(r.pre, orStart(goal, r.start))
	r.add = append(r.add, []int32{r.end})
	facts := n + 2
	self := func(l []int32) []int32 { return l }
	r.uses, r.makers = newIndex(facts, r.pre, self), newIndex(facts, r.add, self)
	r.value, r.done, r.mark = make([]int32, facts), make([]bool, facts), make([]uint8, facts)
	r.farther, r.missing, r.inCut = make([]int32, len(r.pre)), make([]int32, len(r.pre)), make([]bool, len(r.pre))
	return r
}

func orStart(lits []int32, start int32) []int32 {
	if len(lits) == 0 {
		return []int32{start}
	}
	return lits
}

// cuts finds disjoint cuts for the facts in from. cost has one entry for each
// operator and one for the end: 1, 0 for a free operator, or costExcluded; cuts
// overwrites it. It passes each cut to yield (which may be nil) in a slice that
// yield may keep. It returns the number of cuts, and false if the goal can't be
// reached.
func (r *relaxation) cuts(from []int32, cost []int8, yield func([]int32)) (int, bool) {
	cost[len(cost)-1] = 0
	for n := 0; ; n++ {
		r.hmax(from, cost)
		switch r.value[r.end] {
		case unreached:
			return 0, false
		case 0:
			return n, true
		}
		cut := r.cut(from, cost)
		for _, o := range cut {
			cost[o] = 0
		}
		if yield != nil {
			yield(cut)
		}
	}
}

// hmax is a breadth-first search by levels: now has the facts of the level, next
// those of the following level.
func (r *relaxation) hmax(from []int32, cost []int8) {
	for f := range r.value {
		r.value[f], r.done[f] = unreached, false
	}
	for o := range r.pre {
		r.farther[o], r.missing[o] = -1, int32(len(r.pre[o]))
	}
	r.current, r.next = append(r.current[:0], r.start), r.next[:0]
	r.value[r.start] = 0
	for _, f := range from {
		r.value[f] = 0
		r.current = append(r.current, f)
	}
	for level := int32(0); len(r.current) > 0; level++ {
		for len(r.current) > 0 {
			f := r.current[len(r.current)-1]
			r.current = r.current[:len(r.current)-1]
			if r.done[f] {
				continue
			}
			r.done[f] = true
			for _, o := range r.uses.list(f) {
				if r.missing[o]--; r.missing[o] > 0 || cost[o] == costExcluded {
					continue
				}
				r.farther[o] = f
				v := level + int32(cost[o])
				for _, g := range r.add[o] {
					if v >= r.value[g] {
						continue
					}
					r.value[g] = v
					if v == level {
						r.current = append(r.current, g)
					} else {
						r.next = append(r.next, g)
					}
				}
			}
		}
		r.current, r.next = r.next, r.current
	}
}

// cut walks back from the end through free operators to mark the zone, then forward
// from the facts that hold without entering the zone.
func (r *relaxation) cut(from []int32, cost []int8) []int32 {
	clear(r.mark)
	stack := append(r.current[:0], r.end)
	r.mark[r.end] = inZone
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, o := range r.makers.list(f) {
			if s := r.farther[o]; s >= 0 && cost[o] == 0 && r.mark[s] == 0 {
				r.mark[s] = inZone
				stack = append(stack, s)
			}
		}
	}
	var cut []int32
	for _, f := range append(from[:len(from):len(from)], r.start) {
		if r.mark[f] == 0 {
			r.mark[f] = beforeZone
			stack = append(stack, f)
		}
	}
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, o := range r.uses.list(f) {
			if r.farther[o] != f {
				continue
			}
			for _, g := range r.add[o] {
				switch r.mark[g] {
				case inZone:
					if !r.inCut[o] {
						r.inCut[o] = true
						cut = append(cut, o)
					}
				case 0:
					r.mark[g] = beforeZone
					stack = append(stack, g)
				}
			}
		}
	}
	r.current = stack[:0]
	for _, o := range cut {
		r.inCut[o] = false
	}
	return cut
}
