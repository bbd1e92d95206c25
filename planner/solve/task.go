package solve

import (
	"slices"
	"strings"
)

// lit is a literal: 2f says that fact f holds, 2f+1 that it does not. As both are
// literals, negated requirements need no special case.
type lit = int32

func negate(l lit) lit { return l ^ 1 }

// op is an operator over literals; its lists are sorted and without duplicates.
type op struct {
	pre, add, del []lit
	deletes       int
	impossible    bool // it requires a fact and its absence, and can't be run
}

// task is a problem with facts as numbers. Operators are sorted by name, so that a
// smaller index is a smaller name.
type task struct {
	facts     []string
	operators []Operator
	ops       []op
	init      []bool // by literal
	goal      []lit
	uses      index // literal → operators that require it
	makers    index // literal → operators that cause it
}

// literal spells a literal as problems do.
func (t *task) literal(l lit) string {
	if l&1 == 1 {
		return "!" + t.facts[l>>1]
	}
	return t.facts[l>>1]
}

// spell spells literals, in their order.
func (t *task) spell(lits []lit) []string {
	var out []string
	for _, l := range lits {
		out = append(out, t.literal(l))
	}
	return out
}

// newTask numbers the facts. It sorts operators, goal and effects first, so that no
// later choice depends on the order of the input.
func newTask(world, goal []string, operators []Operator) *task {
	slices.SortStableFunc(operators, func(a, b Operator) int {
		if c := strings.Compare(a.Tool.Name, b.Tool.Name); c != 0 {
			return c
		}
		return a.Goal - b.Goal
	})
	t := &task{operators: operators, ops: make([]op, len(operators))}
	numbers := make(map[string]lit, len(world)+2*len(operators))
	named := len(world) + len(goal)
	for _, o := range operators {
		named += len(o.Requires) + 3*len(o.Effects) // those that newOp keeps, as effects and as their opposites
	}
	pool := make([]lit, 0, named) // one piece of memory for all lists
	intern := func(list []string) []lit {
		out := take(&pool, len(list))
		for i, s := range list {
			name, negative := strings.CutPrefix(s, "!")
			f, known := numbers[name]
			if !known {
				f = lit(len(t.facts))
				numbers[name] = f
				t.facts = append(t.facts, name)
			}
			out[i] = 2 * f
			if negative {
				out[i]++
			}
		}
		return out
	}
	t.goal = sortLiterals(intern(sortedStrings(goal)))
	for i, o := range operators {
		pre, effects := sortLiterals(intern(sortedStrings(o.Requires))), sortLiterals(intern(sortedStrings(o.Effects)))
		t.ops[i] = newOp(pre, effects, o.Deletes, &pool)
	}
	holds := intern(world)
	t.init = make([]bool, 2*len(t.facts))
	for f := range t.facts {
		t.init[2*f+1] = true
	}
	for _, l := range holds {
		if l&1 == 0 { // what is not said to hold does not; "!fact" in a world adds nothing
			t.init[l], t.init[negate(l)] = true, false
		}
	}
	t.uses = newIndex(len(t.init), t.ops, func(o op) []lit { return o.pre })
	t.makers = newIndex(len(t.init), t.ops, func(o op) []lit { return o.add })
	return t
}

// take returns the next n elements of a pool that is large enough.
func take(pool *[]lit, n int) []lit {
	p := *pool
	*pool = p[:len(p)+n]
	return p[len(p) : len(p)+n : len(p)+n]
}

// newOp makes an operator. Negated effects happen first; a fact named both ways
// holds afterwards.
func newOp(pre, effects []lit, deletes int, pool *[]lit) op {
	o := op{pre: pre, deletes: deletes, impossible: isContradictory(pre)}
	o.add, o.del = take(pool, len(effects))[:0], take(pool, len(effects))[:0]
	for _, l := range effects {
		if l&1 == 1 && slices.Contains(effects, negate(l)) {
			continue
		}
		o.add = append(o.add, l)
		o.del = append(o.del, negate(l))
		if l&1 == 1 {
			o.deletes++
		}
	}
	slices.Sort(o.del)
	return o
}

// isContradictory reports whether pre has a fact and its negation.
func isContradictory(pre []lit) bool {
	for i := 1; i < len(pre); i++ {
		if pre[i]^1 == pre[i-1] {
			return true
		}
	}
	return false
}

func sortLiterals(lits []lit) []lit {
	slices.Sort(lits)
	return slices.Compact(lits)
}

func sortedStrings(s []string) []string {
	if slices.IsSorted(s) {
		return s
	}
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}
