package planner

import (
	"slices"
)

// cover is a problem in which nothing ends, cut down to what is open: facts
// that neither hold nor follow, numbered densely, and the operators that
// matter for them. A plan is a set of operators from which every goal follows.
type cover struct {
	facts int
	goal  []int32
	ops   []coverOp
}

// coverOp is an operator of a cover. id is its index in the task; taken says
// that every plan has it, so that it costs nothing more.
type coverOp struct {
	id       int32
	pre, add []int32
	taken    bool
}

// newCover keeps the operators that are in, and only literals that are needed
// and don't hold.
func newCover(t *task, goal []lit, in []bool) cover {
	needed := t.neededBy(goal, in)
	number := make([]int32, len(t.init))
	c := cover{}
	for l := range number {
		number[l] = -1
		if needed[l] && !t.init[l] {
			number[l] = int32(c.facts)
			c.facts++
		}
	}
	open := func(lits []lit) []int32 { return renumber(lits, number) }
	c.goal = open(goal)
	for i, ok := range in {
		if ok {
			c.ops = append(c.ops, coverOp{id: int32(i), pre: open(t.ops[i].pre), add: open(t.ops[i].add)})
		}
	}
	return c
}

func renumber(list []int32, number []int32) []int32 {
	var out []int32
	for _, l := range list {
		if n := number[l]; n >= 0 {
			out = append(out, n)
		}
	}
	return out
}

// force takes every operator without which there is no plan because it alone
// causes a needed fact. It returns their places in c.ops, and what is then
// still open: nothing, if the goals follow from the forced operators.
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
		if o.taken {
			taken[i] = true
			need(o.pre)
		}
	}
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		sole := int32(-1)
		n := 0
		for _, o := range makers.of(f) {
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
	return forced, c.after(taken)
}

// after is what is open once the taken operators are in the plan: facts that
// follow from them are gone, and so is every taken operator whose effects
// nothing else waits for. The requirements of all taken operators are goals.
func (c cover) after(taken []bool) cover {
	have := c.follow(taken)
	goals := make([]bool, c.facts)
	for _, f := range c.goal {
		goals[f] = !have[f]
	}
	var waiting []int // taken operators that do not apply yet
	awaited := make([]int, c.facts)
	for i, o := range c.ops {
		if !taken[i] {
			for _, f := range o.pre {
				awaited[f]++
			}
			continue
		}
		if all(have, o.pre) {
			continue
		}
		waiting = append(waiting, i)
		for _, f := range o.pre {
			awaited[f]++
			goals[f] = goals[f] || !have[f]
		}
	}
	// A waiting operator is sure to apply in the end, so that its effects need
	// no goal of their own. It has to stay only while others wait for them.
	for again := true; again; {
		again = false
		waiting = slices.DeleteFunc(waiting, func(i int) bool {
			for _, f := range c.ops[i].add {
				if !have[f] && awaited[f] > 0 {
					return false
				}
			}
			for _, f := range c.ops[i].add {
				have[f] = true
			}
			for _, f := range c.ops[i].pre {
				awaited[f]--
			}
			again = true
			return true
		})
	}
	return c.open(have, goals, taken, waiting)
}

// open renumbers what is left when the facts in have are done.
func (c cover) open(have, goals, taken []bool, waiting []int) cover {
	number := make([]int32, c.facts)
	rest := cover{}
	for f := range number {
		number[f] = -1
		if !have[f] {
			number[f] = int32(rest.facts)
			if goals[f] {
				rest.goal = append(rest.goal, int32(rest.facts))
			}
			rest.facts++
		}
	}
	if len(rest.goal) == 0 {
		return cover{}
	}
	stays := make([]bool, len(c.ops))
	for _, i := range waiting {
		stays[i] = true
	}
	for i, o := range c.ops {
		if taken[i] && !stays[i] {
			continue
		}
		add := renumber(o.add, number)
		if len(add) > 0 {
			rest.ops = append(rest.ops, coverOp{id: o.id, pre: renumber(o.pre, number), add: add, taken: taken[i]})
		}
	}
	return rest
}

// follow is the closure of the operators in taken.
func (c cover) follow(taken []bool) []bool {
	have := make([]bool, c.facts)
	missing := make([]int, len(c.ops))
	uses := newIndex(c.facts, c.ops, func(o coverOp) []int32 { return o.pre })
	var queue []int32
	fire := func(o int) {
		for _, f := range c.ops[o].add {
			if !have[f] {
				have[f] = true
				queue = append(queue, f)
			}
		}
	}
	for i, o := range c.ops {
		missing[i] = len(o.pre)
		if taken[i] && missing[i] == 0 {
			fire(i)
		}
	}
	for len(queue) > 0 {
		f := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, o := range uses.of(f) {
			if missing[o]--; missing[o] == 0 && taken[o] {
				fire(int(o))
			}
		}
	}
	return have
}

// split cuts a cover into parts that share no fact. Their smallest plans
// together are the smallest plan.
func (c cover) split() []cover {
	group := make([]int32, c.facts)
	for f := range group {
		group[f] = int32(f)
	}
	var find func(f int32) int32
	find = func(f int32) int32 {
		for group[f] != f {
			group[f] = group[group[f]]
			f = group[f]
		}
		return f
	}
	for _, o := range c.ops {
		first := find(o.add[0])
		for _, list := range [][]int32{o.add, o.pre} {
			for _, f := range list {
				group[find(f)] = first
			}
		}
	}
	part := make([]int32, c.facts) // by root: 1 + place in parts
	number := make([]int32, c.facts)
	var parts []cover
	for _, f := range c.goal {
		if r := find(f); part[r] == 0 {
			parts = append(parts, cover{})
			part[r] = int32(len(parts))
		}
	}
	for f := range int32(c.facts) {
		number[f] = -1
		if p := part[find(f)]; p > 0 {
			number[f] = int32(parts[p-1].facts)
			parts[p-1].facts++
		}
	}
	for _, f := range c.goal {
		p := &parts[part[find(f)]-1]
		p.goal = append(p.goal, number[f])
	}
	for _, o := range c.ops {
		if p := part[find(o.add[0])]; p > 0 {
			parts[p-1].ops = append(parts[p-1].ops, coverOp{id: o.id, pre: renumber(o.pre, number), add: renumber(o.add, number), taken: o.taken})
		}
	}
	return parts
}

// dominate drops operators that another one replaces everywhere: it requires
// no more and causes no less. It returns the rest, and for each dropped
// operator the one that replaces it. Only the size of plans is preserved, not
// which of them is canonical. Facts with very many makers are passed over, to
// keep the work within n·dominanceWidth.
func (c cover) dominate() (rest cover, by map[int32]int32) {
	makers := newIndex(c.facts, c.ops, func(o coverOp) []int32 { return o.add })
	gone := make([]bool, len(c.ops))
	for i, o := range c.ops {
		if o.taken {
			continue
		}
		rivals := makers.of(slices.MinFunc(o.add, func(a, b int32) int { return len(makers.of(a)) - len(makers.of(b)) }))
		if len(rivals) > dominanceWidth {
			continue
		}
		for _, j := range rivals {
			r := c.ops[j]
			if int(j) == i || gone[j] || !subset(r.pre, o.pre) || !subset(o.add, r.add) {
				continue
			}
			if equal := len(r.pre) == len(o.pre) && len(r.add) == len(o.add); equal && int(j) > i && !r.taken {
				continue
			}
			if by == nil {
				by = map[int32]int32{}
			}
			gone[i], by[o.id] = true, r.id
			break
		}
	}
	rest = c
	if by != nil {
		rest.ops = nil
		for i, o := range c.ops {
			if !gone[i] {
				rest.ops = append(rest.ops, o)
			}
		}
	}
	return rest, by
}

const dominanceWidth = 64

// subset reports whether all of a is in b; both are sorted.
func subset(a, b []int32) bool {
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
