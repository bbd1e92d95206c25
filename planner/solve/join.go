package solve

// join ranks parts together that share no open fact but affect each other's side
// effects: an operator of one causes a fact that holds anyway, and an operator of
// another requires it, so that the fact may count as support.
func (k *ranker) join(parts []cover, chosen [][]int32, beside []int32) [][]int32 {
	group := make([]int, len(parts))
	for i := range group {
		group[i] = i
	}
	find := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	requiredBy := map[lit][]int{} // places of parts
	for i, p := range parts {
		for _, o := range p.ops {
			for _, l := range k.t.ops[o.id].pre {
				if n := len(requiredBy[l]); !o.isTaken && (n == 0 || requiredBy[l][n-1] != i) {
					requiredBy[l] = append(requiredBy[l], i)
				}
			}
		}
	}
	joined := false
	for i, p := range parts {
		for _, o := range p.ops {
			for _, l := range k.t.ops[o.id].add {
				if o.isTaken || l&1 == 1 || k.goal[l] {
					continue
				}
				for _, j := range requiredBy[l] {
					if find(i) != find(j) {
						group[find(j)] = find(i)
						joined = true
					}
				}
			}
		}
	}
	if !joined {
		return chosen
	}
	whole := make([]cover, len(parts))
	known := make([][]int32, len(parts))
	for i, p := range parts {
		g := find(i)
		whole[g] = whole[g].union(p)
		known[g] = append(known[g], chosen[i]...)
	}
	for g, c := range whole {
		if len(known[g]) > 0 {
			known[g] = k.canonical(c, known[g], beside, canonicalBudget)
		}
	}
	return known
}

// union joins two covers.
func (c cover) union(o cover) cover {
	shift := func(list []int32) []int32 {
		out := make([]int32, len(list))
		for i, f := range list {
			out[i] = f + int32(c.facts)
		}
		return out
	}
	c.goal = append(c.goal[:len(c.goal):len(c.goal)], shift(o.goal)...)
	c.ops = c.ops[:len(c.ops):len(c.ops)]
	for _, x := range o.ops {
		c.ops = append(c.ops, coverOp{x.id, shift(x.pre), shift(x.add), x.isTaken})
	}
	c.facts += o.facts
	return c
}
