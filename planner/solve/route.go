package solve

// route is a sequence of operators to the largest attainable part of a goal.
type route struct {
	steps      []int32 // operators in an order that works
	finalFacts []lit   // what holds at the end
	cuts       [][]int32
	exact      bool // kept is largest and steps are fewest
	gaveUp     bool // a budget ended before anything was found
}

// route plans for a goal that can be reached if no fact ends. If facts end, it plans
// separately for parts of the goal that share no literal and no operator.
func (t *task) route(goal []lit, reached []bool, b Budget) route {
	if in := t.markRelevant(goal, reached, false); t.isMonotone(goal, in) {
		s := t.selectSmallest(goal, in, b.Sets)
		return route{steps: t.sequence(s.ops), finalFacts: goal, cuts: s.cuts, exact: s.exact}
	}
	whole := route{exact: true}
	for _, part := range t.parts(goal, t.markRelevant(goal, reached, true)) {
		r := t.part(part, reached, b)
		whole.steps = append(whole.steps, r.steps...)
		whole.finalFacts = append(whole.finalFacts, r.finalFacts...)
		whole.cuts = append(whole.cuts, r.cuts...)
		whole.exact = whole.exact && r.exact
		whole.gaveUp = whole.gaveUp || r.gaveUp
	}
	return whole
}

// parts groups the literals of a goal that share operators.
func (t *task) parts(goal []lit, in []bool) [][]lit {
	needed := t.markNeeded(goal, in)
	group := newGroups(len(t.init))
	for i, ok := range in {
		if !ok {
			continue
		}
		first := lit(-1)
		for _, list := range [][]lit{t.ops[i].pre, t.ops[i].add, t.ops[i].del} {
			for _, l := range list {
				switch {
				case !needed[l]:
				case first < 0:
					first = group.find(l)
				default:
					group[group.find(l)] = first
				}
			}
		}
	}
	place := map[lit]int{}
	var out [][]lit
	for _, l := range goal {
		root := group.find(l)
		i, known := place[root]
		if !known {
			i = len(out)
			place[root] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], l)
	}
	return out
}

// part plans for one part. If a smallest set, found as if no fact ended, has an
// order that works, that is the plan. Otherwise it searches over states.
func (t *task) part(goal []lit, reached []bool, b Budget) route {
	if holdAll(t.init, goal) {
		return route{finalFacts: goal, exact: true}
	}
	in := t.markRelevant(goal, reached, false)
	s := t.selectSmallest(goal, in, b.Sets)
	if t.isMonotone(goal, in) {
		return route{steps: t.sequence(s.ops), finalFacts: goal, cuts: s.cuts, exact: s.exact}
	}
	if s.exact {
		if steps, ok := t.arrange(s.ops, goal); ok {
			return route{steps: steps, finalFacts: goal, cuts: s.cuts, exact: true}
		}
	}
	return t.search(goal, reached, b)
}

// search plans for one part over states.
func (t *task) search(goal []lit, reached []bool, b Budget) route {
	s := newStates(t, goal, t.markRelevant(goal, reached, true))
	a := s.search(b.States, 1)
	found, all := a.run()
	switch {
	case found >= 0:
		r := route{steps: a.path(found), finalFacts: goal, exact: true}
		if all {
			r.steps = a.canonical(found)
		}
		s.lowerBound(s.init, func(cut []int32) {
			for i, o := range cut {
				cut[i] = s.ids[o]
			}
			r.cuts = append(r.cuts, cut)
		})
		return r
	case all:
		return t.routeLargest(s, goal, reached, b)
	}
	const hurry = 8 // a goal-hungry search finds some plan where the careful one ran out
	a = s.search(b.States, hurry)
	if found, _ = a.run(); found >= 0 {
		return route{steps: a.path(found), finalFacts: goal}
	}
	satisfied, _ := partition(goal, t.init)
	return route{finalFacts: satisfied, gaveUp: true}
}

// routeLargest plans for the largest part of a goal that can't be reached as a
// whole.
func (t *task) routeLargest(s *states, goal []lit, reached []bool, b Budget) route {
	part, exact := s.findLargest(goal)
	if len(part) == 0 {
		satisfied, _ := partition(goal, t.init)
		return route{finalFacts: satisfied, exact: exact}
	}
	r := t.route(part, reached, b)
	r.exact = r.exact && exact
	if !exact {
		r.cuts = nil // they may prove the length, but not that no larger part is attainable
	}
	return r
}
