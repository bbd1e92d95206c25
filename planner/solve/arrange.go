package solve

import (
	"cmp"
	"slices"
)

// arrangeBudget bounds the search for an order, in tries. A set without an order is
// left to the search over states.
const arrangeBudget = 2_000

// arranger looks for an order of a set of operators, each used once, in which each
// applies and the goal holds at the end.
type arranger struct {
	t         *task
	facts     []bool
	demand    []int // how many operators not yet run require a literal, plus one if it is a goal
	remaining []int32
	out       []int32
	budget    int
	failed    map[string]bool
}

// arrange orders a smallest set of the task in which no fact ends. If it succeeds,
// the set is smallest and canonical in the task itself, too, because each of its
// plans is also a plan of the relaxed task.
func (t *task) arrange(set []int32, goal []lit) ([]int32, bool) {
	a := &arranger{
		t: t, facts: slices.Clone(t.init), demand: make([]int, len(t.init)), remaining: slices.Clone(set),
		budget: arrangeBudget, failed: map[string]bool{},
	}
	places := t.spread(set)
	slices.SortFunc(a.remaining, func(x, y int32) int {
		return cmp.Or(cmp.Compare(places[x], places[y]), cmp.Compare(t.operators[x].Place, t.operators[y].Place), cmp.Compare(x, y))
	})
	for _, l := range goal {
		a.demand[l]++
	}
	for _, o := range set {
		for _, l := range t.ops[o].pre {
			a.demand[l]++
		}
	}
	ok := a.run(goal)
	return a.out, ok
}

// isHarmless reports whether o ends no fact that holds and that another operator or the
// goal still needs. Then it can run now.
func (a *arranger) isHarmless(o int32) bool {
	x := a.t.ops[o]
	for _, l := range x.del {
		if n := a.demand[l]; a.facts[l] && (n > 1 || n == 1 && !slices.Contains(x.pre, l)) {
			return false
		}
	}
	return true
}

func (a *arranger) apply(i int) {
	o := a.remaining[i]
	a.remaining = slices.Delete(a.remaining, i, i+1)
	a.out = append(a.out, o)
	for _, l := range a.t.ops[o].pre {
		a.demand[l]--
	}
	for _, l := range a.t.ops[o].del {
		a.facts[l] = false
	}
	for _, l := range a.t.ops[o].add {
		a.facts[l] = true
	}
}

func (a *arranger) run(goal []lit) bool {
	var risky []int // places in left of what applies but ends something wanted
	for again := true; again; {
		again, risky = false, risky[:0]
		for i := 0; i < len(a.remaining); {
			switch o := a.remaining[i]; {
			case !holdAll(a.facts, a.t.ops[o].pre):
				i++
			case a.isHarmless(o):
				a.apply(i)
				again = true
			default:
				risky = append(risky, i)
				i++
			}
		}
	}
	if len(a.remaining) == 0 {
		return holdAll(a.facts, goal)
	}
	key := a.key()
	if a.failed[key] {
		return false
	}
	for _, i := range risky {
		if a.budget--; a.budget < 0 {
			return false
		}
		saved := *a
		a.facts, a.demand = slices.Clone(a.facts), slices.Clone(a.demand)
		a.remaining, a.out = slices.Clone(a.remaining), slices.Clone(a.out)
		a.apply(i)
		if a.run(goal) {
			return true
		}
		budget := a.budget
		*a = saved
		a.budget = budget
	}
	a.failed[key] = true
	return false
}

// key identifies the remaining operators and the state.
func (a *arranger) key() string {
	b := make([]byte, 0, 4*len(a.remaining)+len(a.facts)/8+1)
	for _, o := range a.remaining {
		b = append(b, byte(o), byte(o>>8), byte(o>>16), byte(o>>24))
	}
	for l, holds := range a.facts {
		if a.demand[l] > 0 {
			if holds {
				b = append(b, 1)
			} else {
				b = append(b, 0)
			}
		}
	}
	return string(b)
}
