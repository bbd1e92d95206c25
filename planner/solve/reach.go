package solve

// closure marks all literals that can come to hold if no fact ends, by the allowed
// operators (nil: all). It is linear in the size of the task.
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
		if t.ops[i].impossible {
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

// markRelevant marks the operators that can matter for the goal: those that cause a
// needed literal, and for their requirements in turn. It leaves out operators that
// can never apply. With ends set, literals that hold are needed too, because they
// may have to be restored.
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
			if ops[o] || t.ops[o].impossible || !holdAll(reached, t.ops[o].pre) {
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

// isMonotone reports whether no relevant operator ends a literal of the goal or of a
// relevant operator's requirements.
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

// markNeeded marks the literals of the goal and of the requirements of ops.
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

// partition splits lits into those in have and the rest.
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
