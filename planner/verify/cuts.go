package verify

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// cuts checks a certificate of smallness: as many sets of tools as actions, no
// tool in two of them, and without the tools of any one set the goal is out of
// reach even if nothing ever ended. Then a plan has an action of each set.
func (c *checker) cuts(cuts [][]string, actions int, goal []string) {
	if len(cuts) != actions {
		c.fault("cuts", "%d cuts do not prove that %d actions are needed", len(cuts), actions)
	}
	in := map[string]int{}
	for i, cut := range cuts {
		banned := map[string]bool{}
		for _, name := range cut {
			if j, twice := in[name]; twice {
				c.fault("cuts", "%q is in cuts %d and %d", name, j+1, i+1)
			}
			in[name] = i
			banned[name] = true
			if _, ok := c.tools[name]; !ok {
				c.fault("cuts", "cut %d names %q, which no capability does", i+1, name)
			}
		}
		if reached := c.relaxed(c.world, banned); all(reached, goal) {
			c.fault("cuts", "the goal can be reached without cut %d: %v", i+1, cut)
		}
	}
}

// relaxed is everything, negated facts too, that can come to hold if nothing
// ever ends.
func (c *checker) relaxed(world map[string]bool, banned map[string]bool) map[string]bool {
	reached := map[string]bool{}
	for f, ok := range world {
		reached[f] = ok
	}
	absent := func(f string) bool {
		name, negative := strings.CutPrefix(f, "!")
		return negative && !world[name]
	}
	waiting := map[string][]string{} // fact → tools that require it
	missing := map[string]int{}
	var queue []string
	fire := func(t plan.Capability) {
		for f := range c.net(t) {
			if !reached[f] && !absent(f) {
				reached[f] = true
				queue = append(queue, f)
			}
		}
	}
	for name, t := range c.tools {
		if banned[name] {
			continue
		}
		if contradictory(t.Requires) {
			missing[name] = 1 // never at once, whatever comes to hold
		}
		requires := slices.Compact(slices.Sorted(slices.Values(t.Requires)))
		for _, f := range requires {
			if !reached[f] && !absent(f) {
				missing[name]++
				waiting[f] = append(waiting[f], name)
			}
		}
	}
	for name, t := range c.tools {
		if !banned[name] && missing[name] == 0 {
			fire(t)
		}
	}
	for len(queue) > 0 {
		f := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, name := range waiting[f] {
			if missing[name]--; missing[name] == 0 {
				fire(c.tools[name])
			}
		}
	}
	for _, t := range c.tools {
		for _, f := range t.Requires {
			if absent(f) {
				reached[f] = true
			}
		}
	}
	for _, f := range c.goal {
		if absent(f) {
			reached[f] = true
		}
	}
	return reached
}

// contradictory reports whether a fact is listed beside its absence.
func contradictory(facts []string) bool {
	return slices.ContainsFunc(facts, func(f string) bool { return slices.Contains(facts, opposite(f)) })
}

func all(have map[string]bool, facts []string) bool {
	return !slices.ContainsFunc(facts, func(f string) bool { return !have[f] })
}

// monotone reports whether nothing is negated anywhere: then what can be
// reached relaxed can be reached.
func (c *checker) monotone() bool {
	negated := func(list []string) bool {
		return slices.ContainsFunc(list, func(f string) bool { return strings.HasPrefix(f, "!") })
	}
	for _, t := range c.tools {
		if negated(t.Requires) || negated(t.Effects) {
			return false
		}
	}
	return !negated(c.goal)
}

func (c *checker) holdsNow() {
	if f := firstFalse(c.world, c.goal); f != "" {
		c.fault("status", "already_satisfied, but %q does not hold", f)
	}
}

// noTool checks that the facts in unmet are wanted, missing, and no tool's
// effect.
func (c *checker) noTool(unmet []string) {
	if len(unmet) == 0 {
		c.fault("unmet", "no_capability names no effect")
	}
	for _, f := range unmet {
		if !slices.Contains(c.goal, f) || holds(c.world, f) {
			c.fault("unmet", "%q is not missing", f)
		}
		for name, t := range c.tools {
			if c.net(t)[f] {
				c.fault("unmet", "%q is an effect of %q", f, name)
			}
		}
	}
}

// blocked checks that the goal is out of reach, and comes within it once the
// facts in unmet hold.
func (c *checker) blocked(unmet []string) {
	if len(unmet) == 0 {
		c.fault("unmet", "blocked names no fact")
	}
	if firstFalse(c.world, c.goal) == "" {
		c.fault("status", "blocked, but the goal holds")
	}
	if c.monotone() && all(c.relaxed(c.world, nil), c.goal) {
		c.fault("status", "blocked, but the goal can be reached")
	}
	world := map[string]bool{}
	for f := range c.world {
		world[f] = true
	}
	for _, f := range unmet {
		if name, negative := strings.CutPrefix(f, "!"); negative {
			delete(world, name)
		} else {
			world[f] = true
		}
	}
	if !contradictory(c.goal) && !all(c.relaxed(world, nil), c.goal) {
		c.fault("unmet", "the goal stays out of reach with %v", unmet)
	}
}
