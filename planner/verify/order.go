package verify

import (
	"strings"

	"errand/planner/plan"
)

// checkOrders checks that the requirements of each action, and the goal after the last one,
// hold in every order that the dependencies allow. It applies the modal truth criterion
// (Chapman, 1987) to ground plans: an action that always comes earlier establishes the
// fact, and if another action may end the fact in between, a later one always restores it
// in time.
func (c *checker) checkOrders(actions []plan.Action, goal []string) {
	n := len(actions)
	place := map[string]int{}
	for i, a := range actions {
		place[a.ActionID] = i
	}
	earlier := make([][]bool, n+1) // earlier[i][j]: j always precedes i; n is the end
	for i, a := range actions {
		earlier[i] = make([]bool, n)
		for _, d := range a.DependsOn {
			j := place[d]
			earlier[i][j] = true
			for k, before := range earlier[j] {
				if before {
					earlier[i][k] = true
				}
			}
		}
	}
	earlier[n] = make([]bool, n)
	producers, removers := map[string][]int{}, map[string][]int{}
	for i, a := range actions {
		earlier[n][i] = true
		for f := range c.netEffects(c.tools[a.Tool]) {
			producers[f] = append(producers[f], i)
			removers[negate(f)] = append(removers[negate(f)], i)
		}
	}
	holdsInEveryOrder := func(i int, f string) bool {
		produced := isTrue(c.world, f)
		for _, m := range producers[f] {
			produced = produced || earlier[i][m]
		}
		if !produced {
			return false
		}
		for _, e := range removers[f] {
			if e == i || i < n && earlier[e][i] {
				continue // it comes later
			}
			restored := false
			for _, m := range producers[f] {
				restored = restored || earlier[i][m] && earlier[m][e]
			}
			if !restored {
				return false
			}
		}
		return true
	}
	for i, a := range actions {
		for _, f := range c.tools[a.Tool].Requires {
			if !holdsInEveryOrder(i, f) {
				c.addViolation("order", "%s (%s) requires %q, which does not hold in every order", a.ActionID, a.Tool, f)
			}
		}
	}
	for _, f := range goal {
		if !holdsInEveryOrder(n, f) {
			c.addViolation("goal", "%q does not hold at the end of every order", f)
		}
	}
}

// netEffects returns the facts that a tool establishes. A fact that it both ends and causes
// holds.
func (c *checker) netEffects(t plan.Capability) map[string]bool {
	out := map[string]bool{}
	for _, f := range t.Effects {
		if !strings.HasPrefix(f, "!") {
			out[f] = true
		}
	}
	for _, f := range t.Effects {
		if name, negative := strings.CutPrefix(f, "!"); negative && !out[name] {
			out[f] = true
		}
	}
	return out
}

func negate(f string) string {
	if name, negative := strings.CutPrefix(f, "!"); negative {
		return name
	}
	return "!" + f
}

// checkNecessary checks that every single action is necessary.
func (c *checker) checkNecessary(actions []plan.Action, goal []string) {
	for skip, a := range actions {
		state := make(map[string]bool, len(c.world))
		for f := range c.world {
			state[f] = true
		}
		if c.execute(actions, skip, state) && firstFalse(state, goal) == "" {
			c.addViolation("redundant", "the goal is reached without %s (%s)", a.ActionID, a.Tool)
		}
	}
}

// execute executes the actions in order, except the one at skip. It reports whether the
// requirements of each were met.
func (c *checker) execute(actions []plan.Action, skip int, state map[string]bool) bool {
	for i, a := range actions {
		t := c.tools[a.Tool]
		switch {
		case i == skip:
			continue
		case firstFalse(state, t.Requires) != "":
			return false
		}
		for f := range c.netEffects(t) {
			if name, negative := strings.CutPrefix(f, "!"); negative {
				delete(state, name)
			} else {
				state[f] = true
			}
		}
	}
	return true
}
