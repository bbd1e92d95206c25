package planner

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/plan"
)

// operator is a tool as the solver sees it. In goal mode one tool yields an
// operator for each goal that it can reach, told apart by goal.
type operator struct {
	tool     *plan.Capability
	goal     int
	requires []string
	effects  []string
	deletes  int // facts that it ends beside those its effects name; they only break ties
}

// bare is the goal of an operator that is the tool itself.
const bare = -1

// lit is a literal: 2f says that fact f holds, 2f+1 that it does not. With
// both as facts of their own, negated requirements need no special case.
type lit = int32

func not(l lit) lit { return l ^ 1 }

// op is an operator over literals; the lists are sorted and free of repetition.
type op struct {
	pre, add, del []lit
	deletes       int
	never         bool // it requires a fact and its absence, and can't be run
}

// task is a problem with facts as numbers. Operators are in canonical order,
// so that a smaller index is a smaller name.
type task struct {
	facts     []string
	operators []operator
	ops       []op
	init      []bool // by literal
	goal      []lit
	uses      index // literal → operators that require it
	makers    index // literal → operators that cause it
}

// literal names a literal as problems spell it.
func (t *task) literal(l lit) string {
	if l&1 == 1 {
		return "!" + t.facts[l>>1]
	}
	return t.facts[l>>1]
}

// names spells literals, sorted.
func (t *task) names(lits []lit) []string {
	out := make([]string, len(lits))
	for i, l := range lits {
		out[i] = t.literal(l)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// newTask interns facts. It sorts operators, goal and effects first, so that
// numbers, and with them every later choice, do not depend on the order of the
// input.
func newTask(world, goal []string, operators []operator) *task {
	slices.SortStableFunc(operators, func(a, b operator) int {
		if c := strings.Compare(a.tool.Name, b.tool.Name); c != 0 {
			return c
		}
		return a.goal - b.goal
	})
	t := &task{operators: operators, ops: make([]op, len(operators))}
	numbers := make(map[string]lit, len(world)+2*len(operators))
	named := len(world) + len(goal)
	for _, o := range operators {
		named += len(o.requires) + 3*len(o.effects) // those that newOp keeps, as effects and as their opposites
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
	t.goal = sorted(intern(sortedStrings(goal)))
	for i, o := range operators {
		pre, effects := sorted(intern(sortedStrings(o.requires))), sorted(intern(sortedStrings(o.effects)))
		t.ops[i] = newOp(pre, effects, o.deletes, &pool)
	}
	holds := intern(world)
	t.init = make([]bool, 2*len(t.facts))
	for f := range t.facts {
		t.init[2*f+1] = true
	}
	for _, l := range holds {
		if l&1 == 0 { // what is not said to hold does not; "!fact" in a world adds nothing
			t.init[l], t.init[not(l)] = true, false
		}
	}
	t.uses = newIndex(len(t.init), t.ops, func(o op) []lit { return o.pre })
	t.makers = newIndex(len(t.init), t.ops, func(o op) []lit { return o.add })
	return t
}

// take cuts the next n places off a pool that is large enough.
func take(pool *[]lit, n int) []lit {
	p := *pool
	*pool = p[:len(p)+n]
	return p[len(p) : len(p)+n : len(p)+n]
}

// newOp: a tool's negated effects happen first, then the others; a fact named
// both ways holds afterwards.
func newOp(pre, effects []lit, deletes int, pool *[]lit) op {
	o := op{pre: pre, deletes: deletes, never: contradictory(pre)}
	o.add, o.del = take(pool, len(effects))[:0], take(pool, len(effects))[:0]
	for _, l := range effects {
		if l&1 == 1 && slices.Contains(effects, not(l)) {
			continue
		}
		o.add = append(o.add, l)
		o.del = append(o.del, not(l))
		if l&1 == 1 {
			o.deletes++
		}
	}
	slices.Sort(o.del)
	return o
}

// contradictory reports whether pre asks for a fact and its absence.
func contradictory(pre []lit) bool {
	for i := 1; i < len(pre); i++ {
		if pre[i]^1 == pre[i-1] {
			return true
		}
	}
	return false
}

func sorted(lits []lit) []lit {
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

// distinct checks capabilities and returns each name once, in the order of the
// names, so that nothing later depends on the order of the input: two of one
// name count as one if they agree and are an error if they don't. The list
// itself is not touched, and its entries are not copied: there may be thousands.
func distinct(capabilities []plan.Capability) ([]*plan.Capability, error) {
	tools := make([]*plan.Capability, len(capabilities))
	for i := range capabilities {
		tools[i] = &capabilities[i]
	}
	compare := func(a, b *plan.Capability) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(tools, compare) {
		slices.SortStableFunc(tools, compare)
	}
	out := tools[:0]
	for _, c := range tools {
		if !plan.ValidToolName(c.Name) {
			return nil, fmt.Errorf("read capabilities: tool name %q is not 1 to 64 letters, digits, dots, dashes or underscores", c.Name)
		}
		if n := len(out); n > 0 && out[n-1].Name == c.Name {
			if !sameCapability(*c, *out[n-1]) {
				return nil, fmt.Errorf("read capabilities: tool %q is defined twice and differently", c.Name)
			}
			continue
		}
		if err := validFacts(c.Requires, c.Effects); err != nil {
			return nil, fmt.Errorf("read capabilities: tool %q: %v", c.Name, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func validFacts(lists ...[]string) error {
	for _, list := range lists {
		for _, f := range list {
			if f == "" || f == "!" || strings.HasPrefix(f, "!!") {
				return fmt.Errorf("%q is not a fact", f)
			}
		}
	}
	return nil
}

func sameCapability(a, b plan.Capability) bool {
	return a.ReadOnly == b.ReadOnly && a.RiskLevel == b.RiskLevel && sameSet(a.CanAchieve, b.CanAchieve) &&
		sameSet(a.Requires, b.Requires) && sameSet(a.Effects, b.Effects) && sameSet(a.Params, b.Params)
}

func sameSet(a, b []string) bool {
	set := func(s []string) []string { return slices.Compact(slices.Sorted(slices.Values(s))) }
	return slices.Equal(set(a), set(b))
}

// index lists, for each literal, the operators that name it.
type index struct {
	start, ops []int32
}

func (x index) of(l lit) []int32 { return x.ops[x.start[l]:x.start[l+1]] }

func newIndex[O any](n int, ops []O, lits func(O) []lit) index {
	x := index{start: make([]int32, n+1)}
	total := 0
	for _, o := range ops {
		for _, l := range lits(o) {
			x.start[l+1]++
		}
		total += len(lits(o))
	}
	for i := range n {
		x.start[i+1] += x.start[i]
	}
	x.ops = make([]int32, total)
	fill := slices.Clone(x.start[:n])
	for i, o := range ops {
		for _, l := range lits(o) {
			x.ops[fill[l]] = int32(i)
			fill[l]++
		}
	}
	return x
}
