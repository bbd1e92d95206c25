package verify

import (
	"slices"
	"strings"
)

func (c *checker) checkSatisfied() {
	if f := firstFalse(c.world, c.goal); f != "" {
		c.addViolation("status", "already_satisfied, but %q does not hold", f)
	}
}

// checkNoCapability checks that unmet lists exactly the missing facts that no tool has as an effect,
// and that no other goal was attainable.
func (c *checker) checkNoCapability(unmet []string) {
	if len(unmet) == 0 {
		c.addViolation("unmet", "no_capability names no effect")
	}
	for _, f := range unmet {
		if !slices.Contains(c.goal, f) || isTrue(c.world, f) {
			c.addViolation("unmet", "%q is not missing", f)
		}
		if name, ok := c.findProducer(f); ok {
			c.addViolation("unmet", "%q is an effect of %q", f, name)
		}
	}
	for _, f := range c.goal {
		if _, ok := c.findProducer(f); !ok && !isTrue(c.world, f) && !slices.Contains(unmet, f) {
			c.addViolation("unmet", "no tool has the effect %q", f)
		}
	}
	c.checkUnreachable("no_capability")
}

// findProducer returns the first tool, by name, that causes a fact.
func (c *checker) findProducer(f string) (string, bool) {
	first, ok := "", false
	for name, t := range c.tools {
		if c.netEffects(t)[f] && (!ok || name < first) {
			first, ok = name, true
		}
	}
	return first, ok
}

// checkUnreachable checks that every unmet goal is unreachable; otherwise the result would be a
// plan for a part. The check is exact only for problems without negated facts.
func (c *checker) checkUnreachable(status string) {
	if !c.isMonotone() {
		return
	}
	reached := c.reachableFacts(c.world, nil)
	for _, f := range c.goal {
		if reached[f] && !c.world[f] {
			c.addViolation("status", "%s, but %q can be reached", status, f)
		}
	}
}

// checkBlocked checks that no part of the goal is reachable, that the facts in unmet make all
// of it reachable, and that each of these facts is necessary.
func (c *checker) checkBlocked(unmet []string) {
	if len(unmet) == 0 {
		c.addViolation("unmet", "blocked names no fact")
	}
	if firstFalse(c.world, c.goal) == "" {
		c.addViolation("status", "blocked, but the goal holds")
	}
	c.checkUnreachable("blocked")
	for _, f := range c.goal {
		if _, ok := c.findProducer(f); !ok && !isTrue(c.world, f) {
			c.addViolation("status", "blocked, but no tool has the effect %q", f)
		}
	}
	if isContradictory(c.goal) {
		return // nothing can unblock it
	}
	if !hasAll(c.reachableFacts(c.extendWorld(unmet), nil), c.goal) {
		c.addViolation("unmet", "the goal stays out of reach with %v", unmet)
	}
	if !c.isMonotone() {
		return
	}
	for i, f := range unmet {
		if rest := slices.Concat(unmet[:i], unmet[i+1:]); hasAll(c.reachableFacts(c.extendWorld(rest), nil), c.goal) {
			c.addViolation("unmet", "%q is named, but the goal can be reached without it", f)
		}
	}
}

// extendWorld returns the world extended by the given facts.
func (c *checker) extendWorld(facts []string) map[string]bool {
	world := map[string]bool{}
	for f := range c.world {
		world[f] = true
	}
	for _, f := range facts {
		if name, negative := strings.CutPrefix(f, "!"); negative {
			delete(world, name)
		} else {
			world[f] = true
		}
	}
	return world
}
