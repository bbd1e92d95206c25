package solve

// cover is a problem in which no fact ends, reduced to its open facts, numbered
// densely, and the operators that matter for them. A plan is a set of operators from
// which every goal follows.
type cover struct {
	facts int
	goal  []int32
	ops   []coverOp
}

// coverOp is an operator of a cover. id is its index in the task. An operator that
// isTaken is in every plan and costs nothing more.
type coverOp struct {
	id       int32
	pre, add []int32
	isTaken  bool
}

// newCover keeps the operators marked in, and the literals that are needed and do
// not hold.
func newCover(t *task, goal []lit, in []bool) cover {
	needed := t.markNeeded(goal, in)
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

// remainder is the cover without the facts in have, renumbered.
func (c cover) remainder(have, goals, taken []bool, waiting []int) cover {
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
	isNeeded := make([]bool, len(c.ops))
	for _, i := range waiting {
		isNeeded[i] = true
	}
	for i, o := range c.ops {
		if taken[i] && !isNeeded[i] {
			continue
		}
		add := renumber(o.add, number)
		if len(add) > 0 {
			rest.ops = append(rest.ops, coverOp{id: o.id, pre: renumber(o.pre, number), add: add, isTaken: taken[i]})
		}
	}
	return rest
}

// closure marks the facts that follow from the taken operators.
func (c cover) closure(taken []bool) []bool {
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
		for _, o := range uses.list(f) {
			if missing[o]--; missing[o] == 0 && taken[o] {
				fire(int(o))
			}
		}
	}
	return have
}

// split divides a cover into parts that share no fact. Their smallest plans together
// are the smallest plan.
func (c cover) split() []cover {
	group := newGroups(c.facts)
	for _, o := range c.ops {
		first := group.find(o.add[0])
		for _, list := range [][]int32{o.add, o.pre} {
			for _, f := range list {
				group[group.find(f)] = first
			}
		}
	}
	part := make([]int32, c.facts) // by root: 1 + place in parts
	number := make([]int32, c.facts)
	var parts []cover
	for _, f := range c.goal {
		if r := group.find(f); part[r] == 0 {
			parts = append(parts, cover{})
			part[r] = int32(len(parts))
		}
	}
	for f := range int32(c.facts) {
		number[f] = -1
		if p := part[group.find(f)]; p > 0 {
			number[f] = int32(parts[p-1].facts)
			parts[p-1].facts++
		}
	}
	for _, f := range c.goal {
		p := &parts[part[group.find(f)]-1]
		p.goal = append(p.goal, number[f])
	}
	for _, o := range c.ops {
		if p := part[group.find(o.add[0])]; p > 0 {
			parts[p-1].ops = append(parts[p-1].ops, coverOp{id: o.id, pre: renumber(o.pre, number), add: renumber(o.add, number), isTaken: o.isTaken})
		}
	}
	return parts
}
