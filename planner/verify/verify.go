// Package verify checks plans by definition. It shares types with the planner but no
// logic, so that it doesn't repeat the planner's mistakes.
//
// [Check] and [CheckPlan] check one answer against the GoalPlanner contract: the tools
// exist, the dependencies have no cycle, every allowed order is executable, the goal holds
// at the end, no action is redundant, and the plan is in canonical form. They also check
// the certificate of minimality: as many disjoint cuts as actions. All checks take
// polynomial time. They can't check a proof by exhaustive search.
//
// [CheckStable] tests the planner itself: the order of its input must not matter, and it must
// not modify the input.
package verify

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/plan"
)

// Violation is a violation of the contract.
type Violation struct {
	Rule   string // the violated rule: "tools", "ids", "order", "goal", "redundant", "cuts", …
	Detail string
}

func (f Violation) String() string { return f.Rule + ": " + f.Detail }

// Check compares a result with its problem. It returns no faults if the result is correct.
func Check(p plan.Problem, r plan.Result) []Violation {
	c := &checker{world: set(p.World), goal: p.Goal, tools: byName(p.Capabilities)}
	got, planned := r.Plan()
	if planned != (r.Status() == plan.Success || r.Status() == plan.Partial) {
		c.addViolation("status", "%s with plan: %v", r.Status(), planned)
		return c.violations
	}
	switch r.Status() {
	case plan.Success, plan.Partial:
		c.checkPlan(got, r)
	case plan.AlreadySatisfied:
		c.checkSatisfied()
	case plan.NoCapability:
		c.checkNoCapability(r.Unmet())
	case plan.Blocked:
		c.checkBlocked(r.Unmet())
	default:
		c.addViolation("status", "unknown status %q", r.Status())
	}
	return c.violations
}

// CheckPlan checks a plan for goals against the tools and the world that it was made for.
// It doesn't know what the goals mean. It checks that the tools exist, that their
// requirements are met in every order, and that security-relevant fields match the tools.
func CheckPlan(capabilities []plan.Capability, world plan.World, r plan.Result) []Violation {
	got, planned := r.Plan()
	if !planned {
		return nil
	}
	c := &checker{world: set(world.Facts()), tools: byName(capabilities)}
	if world.BrowserRunning && world.BrowserLastURL != "" {
		c.world["page_open"] = true
	}
	actions := got.Actions()
	if !c.checkShape(got, actions) {
		return c.violations
	}
	c.checkOrders(actions, nil)
	for _, a := range actions {
		if a.ReadOnly != c.tools[a.Tool].ReadOnly {
			c.addViolation("read_only", "%s says %v, its tool %v", a.ActionID, a.ReadOnly, !a.ReadOnly)
		}
		if a.ExpectedEffect == "" || a.Reason.IsZero() || a.Preview.IsZero() || a.IdempotencyScope == "" {
			c.addViolation("words", "%s lacks an effect, a reason, a preview or a scope", a.ActionID)
		}
	}
	if proof, _ := r.Proof(); proof.Kind == plan.ByCuts && len(proof.Cuts) != len(actions) {
		c.addViolation("cuts", "%d cuts for %d actions", len(proof.Cuts), len(actions))
	}
	return c.violations
}

type checker struct {
	world      map[string]bool
	goal       []string
	tools      map[string]plan.Capability
	violations []Violation
}

func (c *checker) addViolation(rule, format string, a ...any) {
	c.violations = append(c.violations, Violation{rule, fmt.Sprintf(format, a...)})
}

func set(facts []string) map[string]bool {
	out := make(map[string]bool, len(facts))
	for _, f := range facts {
		out[f] = true
	}
	return out
}

func byName(list []plan.Capability) map[string]plan.Capability {
	out := make(map[string]plan.Capability, len(list))
	for _, c := range list {
		out[c.Name] = c
	}
	return out
}

// isTrue reports whether "fact" or "!fact" is true in a state.
func isTrue(state map[string]bool, f string) bool {
	if name, negative := strings.CutPrefix(f, "!"); negative {
		return !state[name]
	}
	return state[f]
}

func firstFalse(state map[string]bool, facts []string) string {
	for _, f := range facts {
		if !isTrue(state, f) {
			return f
		}
	}
	return ""
}

// checkPlan checks a success, or a partial one for the goals that are not unmet.
func (c *checker) checkPlan(p plan.Plan, r plan.Result) {
	goal := c.goal
	if r.Status() == plan.Partial {
		unmet := r.Unmet()
		if len(unmet) == 0 {
			c.addViolation("unmet", "a partial result leaves something")
		}
		for _, f := range unmet {
			if !slices.Contains(c.goal, f) {
				c.addViolation("unmet", "%q is not a goal", f)
			}
			if c.isMonotone() && c.reachableFacts(c.world, nil)[f] {
				c.addViolation("unmet", "%q can be reached", f)
			}
		}
		goal = slices.DeleteFunc(slices.Clone(goal), func(f string) bool { return slices.Contains(unmet, f) })
	} else if len(r.Unmet()) > 0 {
		c.addViolation("unmet", "a success leaves %v", r.Unmet())
	}
	actions := p.Actions()
	if !c.checkShape(p, actions) {
		return
	}
	c.checkCanonical(actions)
	c.checkOrders(actions, goal)
	c.checkNecessary(actions, goal)
	if proof, ok := r.Proof(); !ok {
		c.addViolation("proof", "missing")
	} else if proof.Kind == plan.ByCuts {
		c.checkCuts(proof.Cuts, len(actions), goal)
	}
}

// checkShape checks the structure of the plan. The other checks need a plan that passes.
func (c *checker) checkShape(p plan.Plan, actions []plan.Action) bool {
	before := len(c.violations)
	if len(actions) == 0 {
		c.addViolation("ids", "the plan is empty")
	}
	place := map[string]int{}
	for i, a := range actions {
		if want := fmt.Sprintf("a%d", i+1); a.ActionID != want {
			c.addViolation("ids", "action %d is called %q, want %q", i+1, a.ActionID, want)
		}
		if _, ok := c.tools[a.Tool]; !ok {
			c.addViolation("tools", "%s uses %q, which no capability names", a.ActionID, a.Tool)
		}
		for _, d := range a.DependsOn {
			if j, ok := place[d]; !ok || j >= i {
				c.addViolation("order", "%s depends on %q, which does not come before it", a.ActionID, d)
			}
		}
		place[a.ActionID] = i
	}
	if _, ok := place[p.GoalAchievedBy()]; !ok {
		c.addViolation("goal", "goal_achieved_by %q is not an action", p.GoalAchievedBy())
	}
	return len(c.violations) == before
}
