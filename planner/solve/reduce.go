package solve

import "slices"

// force takes every operator that is the only cause of a needed fact. It returns
// their indices in c.ops and the rest of the cover, which is empty if the goals
// follow from them.
func (c cover) force() (forced []int, rest cover) {
	makers := newIndex(c.facts, c.ops, func(o coverOp) []int32 { return o.add })
	needed := make([]bool, c.facts)
	taken := make([]bool, len(c.ops))
	var stack []int32
	need := func(facts []int32) {
		for _, f := range facts {
			if !needed[f] {
				needed[f] = true
				stack = append(stack, f)
			}
		}
	}
	need(c.goal)
	for i, o := range c.ops {
		if o.isTaken {
			taken[i] = true
			need(o.pre)
		}
	}
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		sole := int32(-1)
		n := 0
		for _, o := range makers.list(f) {
			if !slices.Contains(c.ops[o].pre, f) { // what needs f already can't be the first to cause it
				sole = o
				n++
			}
		}
		if n == 1 && !taken[sole] {
			taken[sole] = true
			forced = append(forced, int(sole))
			need(c.ops[sole].pre)
		}
	}
	slices.Sort(forced)
	return forced, c.removeTaken(taken)
}

// removeTaken is the rest of the cover once the taken operators are in the plan. It
// removes the facts that follow from them, and the taken operators whose effects no
// other one waits for. The requirements of all taken operators become goals.
func (c cover) removeTaken(taken []bool) cover {
	have := c.closure(taken)
	goals := make([]bool, c.facts)
	for _, f := range c.goal {
		goals[f] = !have[f]
	}
	var waiting []int // taken operators that do not apply yet
	pending := make([]int, c.facts)
	for i, o := range c.ops {
		if !taken[i] {
			for _, f := range o.pre {
				pending[f]++
			}
			continue
		}
		if holdAll(have, o.pre) {
			continue
		}
		waiting = append(waiting, i)
		for _, f := range o.pre {
			pending[f]++
			goals[f] = goals[f] || !have[f]
		}
	}
	// A waiting operator is sure to apply in the end, so that its effects need
	// no goal of their own. It has to stay only while others wait for them.
	for again := true; again; {
		again = false
		waiting = slices.DeleteFunc(waiting, func(i int) bool {
			for _, f := range c.ops[i].add {
				if !have[f] && pending[f] > 0 {
					return false
				}
			}
			for _, f := range c.ops[i].add {
				have[f] = true
			}
			for _, f := range c.ops[i].pre {
				pending[f]--
			}
			again = true
			return true
		})
	}
	return c.remainder(have, goals, taken, waiting)
}

// dominate drops operators that another one can replace everywhere, because it
// requires no more and causes no less. It returns the rest, and the replacement of
// each dropped operator. It keeps the size of plans, but not which plan is
// canonical. It skips facts with more than dominanceWidth makers to bound the work.
func (c cover) dominate() (rest cover, by map[int32]int32) {
	makers := newIndex(c.facts, c.ops, func(o coverOp) []int32 { return o.add })
	removed := make([]bool, len(c.ops))
	for i, o := range c.ops {
		if o.isTaken {
			continue
		}
		rivals := makers.list(slices.MinFunc(o.add, func(a, b int32) int { return len(makers.list(a)) - len(makers.list(b)) }))
		if len(rivals) > dominanceWidth {
			continue
		}
		for _, j := range rivals {
			r := c.ops[j]
			if int(j) == i || removed[j] || !isSubset(r.pre, o.pre) || !isSubset(o.add, r.add) {
				continue
			}
			if equal := len(r.pre) == len(o.pre) && len(r.add) == len(o.add); equal && int(j) > i && !r.isTaken {
				continue
			}
			if by == nil {
				by = map[int32]int32{}
			}
			removed[i], by[o.id] = true, r.id
			break
		}
	}
	rest = c
	if by != nil {
		rest.ops = nil
		for i, o := range c.ops {
			if !removed[i] {
				rest.ops = append(rest.ops, o)
			}
		}
	}
	return rest, by
}

const dominanceWidth = 64

// isSubset reports whether all of a is in b; both are sorted.
func isSubset(a, b []int32) bool {
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			return false
		}
	}
	return true
}
