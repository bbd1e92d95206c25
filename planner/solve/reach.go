package solve

// closure is everything that can come to hold when nothing that holds ever
// ends: the fixpoint over the operators that allowed lets in (nil: all). Each
// requirement is counted down once, so that it is linear in the task.
func (t *task) closure(from []bool, allowed []bool) []bool {
	have := make([]bool, len(from))
	copy(have, from)
	missing := make([]int32, len(t.ops))
	queue := make([]lit, 0, len(from))
	for l, holds := range have {
		if holds {
			queue = append(queue, lit(l))
		}
	}
	fire := func(o int32) {
		for _, l := range t.ops[o].add {
			if !have[l] {
				have[l] = true
				queue = append(queue, l)
			}
		}
	}
	for i := range t.ops {
		missing[i] = int32(len(t.ops[i].pre))
		if t.ops[i].never {
			missing[i]++ // both requirements can come to hold, but not at once
		}
		if missing[i] == 0 && (allowed == nil || allowed[i]) {
			fire(int32(i))
		}
	}
	for len(queue) > 0 {
		l := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, o := range t.uses.list(l) {
			if missing[o]--; missing[o] == 0 && (allowed == nil || allowed[o]) {
				fire(o)
			}
		}
	}
	return have
}

// markRelevant marks the operators that can matter for goal: those that cause a
// needed literal, where requirements of such operators are needed in turn. An
// operator that can never apply is left out. Only what does not hold is needed
// while nothing ends; with ends set, what holds may have to be restored.
func (t *task) markRelevant(goal []lit, reached []bool, ends bool) []bool {
	ops := make([]bool, len(t.ops))
	needed := make([]bool, len(t.init))
	var stack []lit
	need := func(l lit) {
		if !needed[l] && (ends || !t.init[l]) {
			needed[l] = true
			stack = append(stack, l)
		}
	}
	for _, l := range goal {
		need(l)
	}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, o := range t.makers.list(l) {
			if ops[o] || t.ops[o].never || !holdAll(reached, t.ops[o].pre) {
				continue
			}
			ops[o] = true
			for _, p := range t.ops[o].pre {
				need(p)
			}
		}
	}
	return ops
}

// isMonotone reports whether nothing that matters ever ends: no relevant
// operator ends a literal of the goal or one that a relevant operator requires.
func (t *task) isMonotone(goal []lit, relevant []bool) bool {
	needed := t.markNeeded(goal, relevant)
	for i, in := range relevant {
		if !in {
			continue
		}
		for _, l := range t.ops[i].del {
			if needed[l] {
				return false
			}
		}
	}
	return true
}

// markNeeded marks the literals of goal and of the requirements of ops.
func (t *task) markNeeded(goal []lit, ops []bool) []bool {
	needed := make([]bool, len(t.init))
	for _, l := range goal {
		needed[l] = true
	}
	for i, in := range ops {
		if in {
			for _, l := range t.ops[i].pre {
				needed[l] = true
			}
		}
	}
	return needed
}

func holdAll(have []bool, lits []lit) bool {
	for _, l := range lits {
		if !have[l] {
			return false
		}
	}
	return true
}

// partition splits lits into those that have holds and the rest.
func partition(lits []lit, have []bool) (in, out []lit) {
	for _, l := range lits {
		if have[l] {
			in = append(in, l)
		} else {
			out = append(out, l)
		}
	}
	return in, out
}
