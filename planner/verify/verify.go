// Package verify checks plans by definition, without the planner: it shares
// the nouns with it and not a line of reasoning, so that a mistake in one does
// not hide in the other.
//
// [Check] and [CheckPlan] hold one answer against what the GoalPlanner contract
// guarantees (tools exist, no circle, every order that the dependencies allow
// can be executed, the goal holds at the end, no action can be left out, the
// plan could be written in no other way) and against the certificate of
// smallness: disjoint cuts, as many as actions, each of which every plan has
// to cross. All of it takes polynomial time; only a proof by exhausted search
// has to be believed. [Steady] holds the planner itself against what no single
// answer shows: that the order of its input decides nothing and that the input
// is left alone.
package verify

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/plan"
)

// Fault is a broken promise.
type Fault struct {
	Rule   string // which promise: "tools", "ids", "order", "goal", "redundant", "cuts", …
	Detail string
}

func (f Fault) String() string { return f.Rule + ": " + f.Detail }

// Check holds a result against the problem that it answers. No fault means
// that every promise is kept.
func Check(p plan.Problem, r plan.Result) []Fault {
	c := &checker{world: set(p.World), goal: p.Goal, tools: byName(p.Capabilities)}
	got, planned := r.Plan()
	if planned != (r.Status() == plan.Success || r.Status() == plan.Partial) {
		c.fault("status", "%s with plan: %v", r.Status(), planned)
		return c.faults
	}
	switch r.Status() {
	case plan.Success, plan.Partial:
		c.plan(got, r)
	case plan.AlreadySatisfied:
		c.holdsNow()
	case plan.NoCapability:
		c.noTool(r.Unmet())
	case plan.Blocked:
		c.blocked(r.Unmet())
	default:
		c.fault("status", "%q is none", r.Status())
	}
	return c.faults
}

// CheckPlan holds a plan for goals against the tools and the world it was made
// for. What the goals mean is not known here: it checks that the tools exist,
// that what they require is supplied in every order, and that nothing the
// caller could forge is taken from anywhere but the tools.
func CheckPlan(capabilities []plan.Capability, world plan.World, r plan.Result) []Fault {
	got, planned := r.Plan()
	if !planned {
		return nil
	}
	c := &checker{world: set(world.Facts()), tools: map[string]plan.Capability{}}
	if world.BrowserRunning && world.BrowserLastURL != "" {
		c.world["page_open"] = true
	}
	for name, t := range byName(capabilities) {
		if strings.HasPrefix(name, "browser.") {
			t.Requires = append(slices.Clone(t.Requires), "page_open")
		}
		if name == "system.apps.launch.shell" {
			t.Effects = append(slices.Clone(t.Effects), "page_open")
		}
		c.tools[name] = t
	}
	actions := got.Actions()
	if !c.shape(got, actions) {
		return c.faults
	}
	c.everyOrder(actions, nil)
	for _, a := range actions {
		if a.ReadOnly != c.tools[a.Tool].ReadOnly {
			c.fault("read_only", "%s says %v, its tool %v", a.ActionID, a.ReadOnly, !a.ReadOnly)
		}
		if a.ExpectedEffect == "" || a.Reason == "" || a.Preview == "" || a.IdempotencyScope == "" {
			c.fault("words", "%s lacks an effect, a reason, a preview or a scope", a.ActionID)
		}
	}
	if proof, _ := r.Proof(); proof.Kind == plan.ByCuts && len(proof.Cuts) != len(actions) {
		c.fault("cuts", "%d cuts for %d actions", len(proof.Cuts), len(actions))
	}
	return c.faults
}

type checker struct {
	world  map[string]bool
	goal   []string
	tools  map[string]plan.Capability
	faults []Fault
}

func (c *checker) fault(rule, format string, a ...any) {
	c.faults = append(c.faults, Fault{rule, fmt.Sprintf(format, a...)})
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

// holds tests "fact" or "!fact" in a state.
func holds(state map[string]bool, f string) bool {
	if name, negative := strings.CutPrefix(f, "!"); negative {
		return !state[name]
	}
	return state[f]
}

func firstFalse(state map[string]bool, facts []string) string {
	for _, f := range facts {
		if !holds(state, f) {
			return f
		}
	}
	return ""
}

// plan checks a success, or a partial one for the goals that are not unmet.
func (c *checker) plan(p plan.Plan, r plan.Result) {
	goal := c.goal
	if r.Status() == plan.Partial {
		unmet := r.Unmet()
		if len(unmet) == 0 {
			c.fault("unmet", "a partial result leaves something")
		}
		for _, f := range unmet {
			if !slices.Contains(c.goal, f) {
				c.fault("unmet", "%q is no goal", f)
			}
			if c.monotone() && c.relaxed(c.world, nil)[f] {
				c.fault("unmet", "%q can be reached", f)
			}
		}
		goal = slices.DeleteFunc(slices.Clone(goal), func(f string) bool { return slices.Contains(unmet, f) })
	} else if len(r.Unmet()) > 0 {
		c.fault("unmet", "a success leaves %v", r.Unmet())
	}
	actions := p.Actions()
	if !c.shape(p, actions) {
		return
	}
	c.canonical(actions)
	c.everyOrder(actions, goal)
	c.needed(actions, goal)
	if proof, ok := r.Proof(); !ok {
		c.fault("proof", "there is none")
	} else if proof.Kind == plan.ByCuts {
		c.cuts(proof.Cuts, len(actions), goal)
	}
}

// shape checks what can be seen without running anything. Only a plan that
// passes can be checked further.
func (c *checker) shape(p plan.Plan, actions []plan.Action) bool {
	before := len(c.faults)
	if len(actions) == 0 {
		c.fault("ids", "the plan is empty")
	}
	place := map[string]int{}
	for i, a := range actions {
		if want := fmt.Sprintf("a%d", i+1); a.ActionID != want {
			c.fault("ids", "action %d is called %q, want %q", i+1, a.ActionID, want)
		}
		if _, ok := c.tools[a.Tool]; !ok {
			c.fault("tools", "%s uses %q, which no capability names", a.ActionID, a.Tool)
		}
		for _, d := range a.DependsOn {
			if j, ok := place[d]; !ok || j >= i {
				c.fault("order", "%s depends on %q, which does not come before it", a.ActionID, d)
			}
		}
		place[a.ActionID] = i
	}
	if _, ok := place[p.GoalAchievedBy()]; !ok {
		c.fault("goal", "goal_achieved_by %q is no action", p.GoalAchievedBy())
	}
	return len(c.faults) == before
}
