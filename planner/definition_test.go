package planner

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"errand/planner/plan"
)

// definition answers a problem of at most 64 facts by the words of the contract
// and nothing else: it visits every state, breadth first. It shares no type and
// no line with the planner.
type definition struct {
	p     plan.Problem
	facts []string // sorted
	tools []bruteTool
	world uint64
	depth map[uint64]int
	level [][]uint64
}

type bruteTool struct {
	name               string
	pos, neg, add, del uint64
}

// definitionOf reads a problem; false says that it has more states than most.
func definitionOf(p plan.Problem, most int) (*definition, bool) {
	d := &definition{p: p}
	for _, c := range p.Capabilities {
		d.facts = slices.Concat(d.facts, c.Requires, c.Effects)
	}
	d.facts = slices.Concat(d.facts, p.World, p.Goal)
	for i, f := range d.facts {
		d.facts[i] = strings.TrimPrefix(f, "!")
	}
	slices.Sort(d.facts)
	if d.facts = slices.Compact(d.facts); len(d.facts) > 64 {
		return d, false
	}
	for _, c := range p.Capabilities {
		t := bruteTool{name: c.Name}
		t.pos, t.neg = d.bits(c.Requires)
		t.add, t.del = d.bits(c.Effects)
		t.del &^= t.add
		d.tools = append(d.tools, t)
	}
	slices.SortFunc(d.tools, func(a, b bruteTool) int { return strings.Compare(a.name, b.name) })
	d.world, _ = d.bits(p.World)
	return d, d.explore(most)
}

func (d *definition) bits(facts []string) (pos, neg uint64) {
	for _, f := range facts {
		name, negative := strings.CutPrefix(f, "!")
		i, _ := slices.BinarySearch(d.facts, name)
		if negative {
			neg |= 1 << i
		} else {
			pos |= 1 << i
		}
	}
	return pos, neg
}

func (t bruteTool) apply(s uint64) (uint64, bool) {
	return s&^t.del | t.add, s&t.pos == t.pos && s&t.neg == 0
}

func (d *definition) explore(most int) bool {
	d.depth = map[uint64]int{d.world: 0}
	d.level = [][]uint64{{d.world}}
	for {
		var next []uint64
		for _, s := range d.level[len(d.level)-1] {
			for _, t := range d.tools {
				after, ok := t.apply(s)
				if _, known := d.depth[after]; ok && !known {
					d.depth[after] = len(d.level)
					next = append(next, after)
				}
			}
		}
		if len(next) == 0 {
			return true
		}
		if d.level = append(d.level, next); len(d.depth) > most {
			return false
		}
	}
}

// kept are the goals that hold in a state, sorted.
func (d *definition) kept(s uint64) []string {
	var out []string
	for _, f := range d.p.Goal {
		if pos, neg := d.bits([]string{f}); s&pos == pos && s&neg == 0 {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// bruteAnswer is all that the contract says about a problem. Of several plans
// of least size, deletes and sides are least, and names come first.
type bruteAnswer struct {
	status         plan.Status
	actions        int
	deletes, sides int
	names          []string // sorted
	unmet          []string
}

func (d *definition) answer() bruteAnswer {
	goal := slices.Compact(slices.Sorted(slices.Values(d.p.Goal)))
	best, steps := d.kept(d.world), 0
	start := len(best)
	if start == len(goal) {
		return bruteAnswer{status: plan.AlreadySatisfied}
	}
	for s, n := range d.depth {
		k := d.kept(s)
		if cmp.Or(cmp.Compare(len(best), len(k)), cmp.Compare(n, steps), slices.Compare(k, best)) < 0 {
			best, steps = k, n
		}
	}
	if len(best) == start {
		return d.refusal(goal)
	}
	a := d.canonical(best, steps)
	a.status, a.actions = plan.Success, steps
	if len(best) < len(goal) {
		a.status = plan.Partial
		a.unmet = slices.DeleteFunc(goal, func(f string) bool { return slices.Contains(best, f) })
	}
	return a
}

// refusal: no goal can be had. Effects that no tool has come first.
func (d *definition) refusal(goal []string) bruteAnswer {
	var orphans []string
	for _, f := range goal {
		if !slices.Contains(d.kept(d.world), f) && !d.made(f) {
			orphans = append(orphans, f)
		}
	}
	if len(orphans) > 0 {
		return bruteAnswer{status: plan.NoCapability, unmet: orphans}
	}
	return bruteAnswer{status: plan.Blocked}
}

// made reports whether some tool causes a literal.
func (d *definition) made(f string) bool {
	pos, neg := d.bits([]string{f})
	return slices.ContainsFunc(d.tools, func(t bruteTool) bool { return t.add&pos|t.del&neg != 0 })
}

// canonical ranks every set of tools that a shortest plan for the goals is made
// of. Plans that differ in order alone are one: they are told apart by the
// state and by how often each tool was used.
func (d *definition) canonical(goals []string, steps int) bruteAnswer {
	useful := make([]map[uint64]bool, steps+1) // states on a shortest way, by depth
	useful[steps] = map[uint64]bool{}
	for _, s := range d.level[steps] {
		useful[steps][s] = slices.Equal(d.kept(s), goals)
	}
	for n := steps - 1; n >= 0; n-- {
		useful[n] = map[uint64]bool{}
		for _, s := range d.level[n] {
			for _, t := range d.tools {
				if after, ok := t.apply(s); ok && useful[n+1][after] {
					useful[n][s] = true
				}
			}
		}
	}
	type way struct {
		state uint64
		used  string // one byte for each tool
	}
	ways := map[way]bool{{d.world, string(make([]byte, len(d.tools)))}: true}
	for n := range steps {
		next := map[way]bool{}
		for w := range ways {
			for i, t := range d.tools {
				if after, ok := t.apply(w.state); ok && useful[n+1][after] {
					next[way{after, w.used[:i] + string([]byte{w.used[i] + 1}) + w.used[i+1:]}] = true
				}
			}
		}
		ways = next
	}
	var best *bruteAnswer
	for w := range ways {
		if a := d.rank(w.used, goals); best == nil || a.before(*best) {
			best = &a
		}
	}
	return *best
}

func (d *definition) rank(used string, goals []string) bruteAnswer {
	var a bruteAnswer
	support, _ := d.bits(goals)
	for i, n := range []byte(used) {
		if n > 0 {
			support |= d.tools[i].pos
		}
	}
	for i, n := range []byte(used) {
		t := d.tools[i]
		a.deletes += int(n) * bits.OnesCount64(t.del)
		a.sides += int(n) * bits.OnesCount64(t.add&^support)
		a.names = append(a.names, slices.Repeat([]string{t.name}, int(n))...)
	}
	return a
}

func (a bruteAnswer) before(b bruteAnswer) bool {
	return cmp.Or(cmp.Compare(a.deletes, b.deletes), cmp.Compare(a.sides, b.sides), slices.Compare(a.names, b.names)) < 0
}

// reachable reports whether all goals can be had in a world where more holds.
func (d *definition) reachable(more []string, most int) (ok, sure bool) {
	p := d.p
	world := map[string]bool{}
	for _, f := range p.World {
		world[f] = true
	}
	for _, f := range more {
		if name, negative := strings.CutPrefix(f, "!"); negative {
			delete(world, name)
		} else {
			world[f] = true
		}
	}
	p.World = slices.Sorted(maps.Keys(world))
	changed, sure := definitionOf(p, most)
	goal := len(slices.Compact(slices.Sorted(slices.Values(p.Goal))))
	for s := range changed.depth {
		if len(changed.kept(s)) == goal {
			return true, true
		}
	}
	return false, sure
}

// blockers are what FORMATS calls the unmet facts of a blocked goal where
// nothing is negated: of the facts that nothing makes, at the leaves of the
// search back from the goal, the smallest set that unblocks it, first by name;
// in a circle, of what the makers of a goal require too.
func (d *definition) blockers() []string {
	var reached uint64
	for s := range d.depth {
		reached |= s
	}
	all := func(facts []string) (out []string) {
		for _, f := range facts {
			if pos, _ := d.bits([]string{f}); reached&pos == 0 && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
		return out
	}
	back := all(d.p.Goal)
	goals := len(back)
	var leaves, before []string
	for i := 0; i < len(back); i++ {
		if !d.made(back[i]) {
			leaves = append(leaves, back[i])
		}
		for _, c := range d.p.Capabilities {
			if slices.Contains(c.Effects, back[i]) {
				if back = append(back, all(c.Requires)...); i < goals {
					before = append(before, all(c.Requires)...)
				}
			}
		}
		seen := map[string]bool{}
		back = slices.DeleteFunc(back, func(f string) bool { twice := seen[f]; seen[f] = true; return twice })
	}
	for _, candidates := range [][]string{leaves, slices.Concat(leaves, before)} {
		candidates = slices.Compact(slices.Sorted(slices.Values(candidates)))
		for size := 1; size <= len(candidates); size++ {
			if set := d.firstOf(nil, candidates, size); set != nil {
				return set
			}
		}
	}
	return nil
}

func (d *definition) firstOf(set, candidates []string, size int) []string {
	if size == 0 {
		if ok, _ := d.reachable(set, 1<<20); ok {
			return slices.Clone(set)
		}
		return nil
	}
	for i, f := range candidates {
		if found := d.firstOf(append(set, f), candidates[i+1:], size-1); found != nil {
			return found
		}
	}
	return nil
}
