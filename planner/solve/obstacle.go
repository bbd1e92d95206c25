package solve

import (
	"slices"
	"strings"
)

// blockWork bounds the search for a smallest set of missing facts, in visited list
// elements. Beyond it the set is only minimal: it can't be shrunk.
const blockWork = 20_000_000

// obstacleBudget bounds the same search where facts end, in states.
const obstacleBudget = 20_000

// findMissing is a smallest set of literals that would make the goal reachable. It
// looks first among literals that nothing causes, then, if causes wait for each
// other in a cycle, among the requirements of the goal's makers, and last among the
// goals.
func (t *task) findMissing(goal []lit) []lit {
	reached := t.closure(t.init, nil)
	leaves, before := t.findLeaves(goal, reached)
	_, ends := partition(goal, reached)
	candidates := []lit{}
	for _, more := range [][]lit{leaves, before, ends} {
		candidates = sortLiterals(append(candidates, more...))
		if !t.isEnough(candidates, goal) {
			continue
		}
		set := t.shrinkUnblocking(candidates, goal)
		if ok, _ := t.isReachableWith(set, goal, obstacleBudget); ok {
			return set
		}
		break // what would have to hold is in the way of something else
	}
	return t.findObstacle(goal)
}

// findObstacle is a smallest set of literals with which the goal can be reached
// where facts end. It prefers literals outside the goal, then smaller names. When
// the budget ends it returns the open goals without those that it does not need.
func (t *task) findObstacle(goal []lit) []lit {
	candidates := t.obstacleCandidates(goal)
	_, open := partition(goal, t.init)
	budget := obstacleBudget
	for size := 1; size <= len(open) && budget > 0; size++ {
		if set := t.findRemedy(nil, candidates, size, goal, &budget); set != nil {
			return set
		}
	}
	budget = obstacleBudget
	for i := 0; i < len(open) && len(open) > 1; {
		rest := slices.Concat(open[:i], open[i+1:])
		var ok bool
		if ok, budget = t.isReachableWith(rest, goal, budget); ok {
			open = rest
		} else {
			i++
		}
	}
	return open
}

// obstacleCandidates are the literals that do not hold and matter for the goal:
// those outside the goal first, by name.
func (t *task) obstacleCandidates(goal []lit) []lit {
	anything := make([]bool, len(t.init))
	for l := range anything {
		anything[l] = true
	}
	var out []lit
	for l, ok := range t.markNeeded(goal, t.markRelevant(goal, anything, true)) {
		if ok && !t.init[l] {
			out = append(out, lit(l))
		}
	}
	wanted := flags(len(t.init), goal)
	slices.SortFunc(out, func(a, b lit) int {
		if wanted[a] != wanted[b] {
			if wanted[a] {
				return 1
			}
			return -1
		}
		return strings.Compare(t.literal(a), t.literal(b))
	})
	return out
}

// findRemedy is the first set with size more literals that makes the goal reachable;
// nil if there is none or the budget ended.
func (t *task) findRemedy(set, candidates []lit, size int, goal []lit, budget *int) []lit {
	if size == 0 {
		var ok bool
		if ok, *budget = t.isReachableWith(set, goal, *budget); ok {
			return slices.Clone(set)
		}
		return nil
	}
	for i := 0; i <= len(candidates)-size && *budget > 0; i++ {
		if found := t.findRemedy(append(set, candidates[i]), candidates[i+1:], size-1, goal, budget); found != nil {
			return found
		}
	}
	return nil
}

// isReachableWith reports whether the goal can be reached, where facts end, if the
// literals in set hold as well. It also returns the rest of the budget.
func (t *task) isReachableWith(set, goal []lit, budget int) (ok bool, remaining int) {
	budget -= charge(len(t.uses.ops) + len(t.makers.ops))
	changed := *t
	changed.init = slices.Clone(t.init)
	for _, l := range set {
		changed.init[l], changed.init[negate(l)] = true, false
	}
	reached := changed.closure(changed.init, nil)
	switch {
	case !holdAll(reached, goal):
		return false, budget
	case changed.isMonotone(goal, changed.markRelevant(goal, reached, false)):
		return true, budget
	}
	a := newStates(&changed, goal, changed.markRelevant(goal, reached, true)).search(budget, 1)
	found, _ := a.run()
	return found >= 0, a.budget
}

// findLeaves walks back from the unreached goals. It returns the unreached literals
// that nothing causes, and those that the makers of a goal require.
func (t *task) findLeaves(goal []lit, reached []bool) (leaves, before []lit) {
	_, stack := partition(goal, reached)
	seen := make([]bool, len(t.init))
	for _, l := range stack {
		seen[l] = true
	}
	goals := len(stack)
	for i := 0; i < len(stack); i++ {
		made := false
		for _, o := range t.makers.list(stack[i]) {
			if t.ops[o].impossible {
				continue
			}
			made = true
			for _, p := range t.ops[o].pre {
				if reached[p] {
					continue
				}
				if i < goals {
					before = append(before, p)
				}
				if !seen[p] {
					seen[p] = true
					stack = append(stack, p)
				}
			}
		}
		if !made {
			leaves = append(leaves, stack[i])
		}
	}
	return leaves, before
}

// isEnough reports whether the goal follows if lits hold as well.
func (t *task) isEnough(lits, goal []lit) bool {
	from := slices.Clone(t.init)
	for _, l := range lits {
		from[l] = true
	}
	return holdAll(t.closure(from, nil), goal)
}

// shrinkUnblocking shrinks a set that unblocks the goal: first to a minimal one,
// then by trying all smaller sets, and equal ones that come first by name, within
// blockWork.
func (t *task) shrinkUnblocking(candidates, goal []lit) []lit {
	slices.SortFunc(candidates, func(a, b lit) int { return strings.Compare(t.literal(a), t.literal(b)) })
	least := t.quickExplain(nil, candidates, goal, false)
	work := len(t.init) + len(t.uses.ops) + len(t.makers.ops)
	for size := 1; size <= len(least); size++ {
		if work *= len(candidates) - size + 1; work > blockWork*size {
			break
		}
		if set := t.findUnblocking(nil, candidates, size, goal); set != nil {
			return set
		}
	}
	return least
}

// quickExplain is QuickXplain (Junker, AAAI 2004). It needs about
// |result|·log(|candidates|) closures and prefers earlier candidates.
func (t *task) quickExplain(background, candidates, goal []lit, grown bool) []lit {
	if grown && t.isEnough(background, goal) {
		return nil
	}
	if len(candidates) == 1 {
		return slices.Clone(candidates)
	}
	half := (len(candidates) + 1) / 2
	first, second := candidates[:half], candidates[half:]
	late := t.quickExplain(slices.Concat(background, first), second, goal, true)
	early := t.quickExplain(slices.Concat(background, late), first, goal, len(late) > 0)
	return append(early, late...)
}

// findUnblocking is the first set of size literals that unblocks the goal.
func (t *task) findUnblocking(set, candidates []lit, size int, goal []lit) []lit {
	if size == 0 {
		if t.isEnough(set, goal) {
			return slices.Clone(set)
		}
		return nil
	}
	for i := range len(candidates) - size + 1 {
		if found := t.findUnblocking(append(set, candidates[i]), candidates[i+1:], size-1, goal); found != nil {
			return found
		}
	}
	return nil
}
