package verify

import (
	"maps"
	"slices"
	"strings"

	"errand/planner/plan"
)

// checkCuts checks a certificate of minimality. There must be as many sets of tools as actions,
// and no tool may be in two of them. Without the tools of any one set the goal must be
// unreachable, even if facts never ended. Every plan then has an action from each set.
func (c *checker) checkCuts(cuts [][]string, actions int, goal []string) {
	if len(cuts) != actions {
		c.addViolation("cuts", "%d cuts do not prove that %d actions are needed", len(cuts), actions)
	}
	in := map[string]int{}
	for i, cut := range cuts {
		banned := map[string]bool{}
		for _, name := range cut {
			if j, twice := in[name]; twice {
				c.addViolation("cuts", "%q is in cuts %d and %d", name, j+1, i+1)
			}
			in[name] = i
			banned[name] = true
			if _, ok := c.tools[name]; !ok {
				c.addViolation("cuts", "cut %d names %q, which no capability does", i+1, name)
			}
		}
		if reached := c.reachableFacts(c.world, banned); hasAll(reached, goal) {
			c.addViolation("cuts", "the goal can be reached without cut %d: %v", i+1, cut)
		}
	}
}

// reachableFacts returns all facts, including negated ones, that are reachable if no fact ever
// ends.
func (c *checker) reachableFacts(world map[string]bool, banned map[string]bool) map[string]bool {
	reached := map[string]bool{}
	maps.Copy(reached, world)
	absent := func(f string) bool {
		name, negative := strings.CutPrefix(f, "!")
		return negative && !world[name]
	}
	waiting := map[string][]string{} // fact → tools that require it
	missing := map[string]int{}
	var queue []string
	fire := func(t plan.Capability) {
		for f := range c.netEffects(t) {
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
		if isContradictory(t.Requires) {
			missing[name] = 1 // contradictory requirements never hold together
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

// isContradictory reports whether the list has a fact and its negation.
func isContradictory(facts []string) bool {
	return slices.ContainsFunc(facts, func(f string) bool { return slices.Contains(facts, negate(f)) })
}

func hasAll(have map[string]bool, facts []string) bool {
	return !slices.ContainsFunc(facts, func(f string) bool { return !have[f] })
}

// isMonotone reports whether the problem has no negated facts. Relaxed reachability is exact
// then.
func (c *checker) isMonotone() bool {
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
