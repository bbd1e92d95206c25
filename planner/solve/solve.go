// Package solve finds a smallest set of operators that reaches a goal, puts it
// into an order that works, and proves that no smaller set does. It is a pure
// search: it knows facts and tools, no goals of a user and no language.
//
// # How a plan is found
//
// Tools are actions of unit cost with facts that they require and facts that
// they cause. Without negated facts a plan is a set of tools. The smallest set
// is still NP-hard to find, because set cover is a special case. So the solver
// searches for it and proves the result:
//
//  1. It drops what can't be reached forward or does not matter backward.
//  2. It reduces interchangeable tools to the best one and takes the sole
//     producer of a needed fact at once. The rest falls into parts that share
//     no fact; each is solved on its own.
//  3. Disjoint cuts (sets of tools of which every plan needs one) give a lower
//     bound. Where a plan of that size is found, the cuts are the proof.
//  4. Otherwise branch and bound closes the gap, and the exhausted search is
//     the proof.
//  5. Where facts can end, the goal falls into parts that share no fact. A part
//     is done if its smallest set, found as if no fact ended, has an order that
//     works. The other parts are searched by A* over states. Where no state has
//     all of the goal, the solver plans for the largest part of it.
//
// A budget counts search nodes, never time. A hard problem gets a plan whose
// proof is "none", the same one on every machine.
//
// Of plans of equal size the solver returns the canonical one: fewest deletes,
// then fewest effects outside the goal and its support, then the smallest
// sorted list of tool names. Where several steps can be next, the one with the
// smallest Place comes first, then the one with the smallest tool name.
package solve

import (
	"slices"

	"errand/planner/plan"
)

// Operator is a tool as the solver sees it. One tool may have several
// operators, one for each goal that it can reach; Goal tells them apart.
type Operator struct {
	Tool     *plan.Capability
	Goal     int
	Place    int // where the user names its goal; it orders steps that are independent of each other
	Requires []string
	Effects  []string
	Deletes  int // facts that it ends beside those its effects name; they only break ties
}

// Bare is the Goal of an operator that only supplies facts to others.
const Bare = -1

// Problem is what [Solve] plans for. A fact "!f" says that f does not hold.
type Problem struct {
	World     []string
	Goal      []string
	Operators []Operator
}

// Budget bounds the search, in nodes. A zero field means its default.
type Budget struct {
	Sets   int // sets of operators, where no fact ends; 100,000 by default
	States int // states, where facts can end; 250,000 by default
}

func (b Budget) withDefaults() Budget {
	if b.Sets == 0 {
		b.Sets = setBudget
	}
	if b.States == 0 {
		b.States = stateBudget
	}
	return b
}

// Outcome is the answer to a [Problem].
type Outcome struct {
	Status  plan.Status
	Steps   []Step   // of a success or a partial plan, in canonical order
	Goal    []string // the facts of the goal that the steps reach
	Unmet   []string // as [plan.Result] defines it for the status
	Orphans []string // those of Unmet that no operator causes
	Proof   plan.Proof
	GaveUp  bool // the plan is blocked because a budget ended, not because of a proof
}

// Step is one operator of a plan and the reason for it.
type Step struct {
	Operator
	Needs      []int    // earlier steps that it needs, by index
	Reaches    []string // facts of the goal that it reaches, sorted
	Supplies   []string // if it reaches none: what it supplies to the step For, sorted
	SuppliesTo int
}

// Solve finds the fewest operators that reach the goal, in an order that works.
// It sorts p.Operators in place. It is safe for concurrent use on different
// problems.
func Solve(p Problem, b Budget) Outcome {
	t := newTask(p.World, p.Goal, p.Operators)
	o := t.solve(b.withDefaults())
	out := Outcome{Status: o.status, Goal: t.spell(o.goal), Unmet: t.spell(o.unmet), Proof: o.proof, GaveUp: o.gaveUp}
	for _, l := range o.unmet {
		if len(t.makers.list(l)) == 0 {
			out.Orphans = append(out.Orphans, t.literal(l))
		}
	}
	out.Steps = t.steps(o.schedule, o.goal)
	return out
}

// outcome is the answer to a task, in literals.
type outcome struct {
	status   plan.Status
	schedule schedule // success and partial
	goal     []lit    // what the schedule reaches
	unmet    []lit
	proof    plan.Proof
	gaveUp   bool
}

func (t *task) solve(b Budget) outcome {
	_, open := partition(t.goal, t.init)
	if len(open) == 0 {
		return outcome{status: plan.AlreadySatisfied}
	}
	reached := t.closure(t.init, nil)
	attainable, lost := partition(open, reached)
	if len(attainable) == 0 {
		return t.explainFailure(lost)
	}
	_, goal := partition(t.goal, flags(len(t.init), lost))
	r := t.route(goal, reached, b)
	switch {
	case len(r.steps) == 0 && len(lost) > 0:
		return t.explainFailure(lost)
	case len(r.steps) == 0 && r.gaveUp:
		return outcome{status: plan.Blocked, unmet: open, gaveUp: true}
	case len(r.steps) == 0:
		return outcome{status: plan.Blocked, unmet: t.findObstacle(goal)}
	}
	o := outcome{status: plan.Success, goal: sortLiterals(r.finalFacts), schedule: t.schedule(r.steps, r.finalFacts), proof: t.prove(r)}
	if len(o.goal) < len(t.goal) {
		o.status = plan.Partial
		_, o.unmet = partition(t.goal, flags(len(t.init), o.goal))
	}
	return o
}

// flags marks a set of literals.
func flags(n int, lits []lit) []bool {
	out := make([]bool, n)
	for _, l := range lits {
		out[l] = true
	}
	return out
}

// explainFailure is the outcome if no open goal can be reached.
func (t *task) explainFailure(open []lit) outcome {
	var orphans []lit
	for _, l := range open {
		if len(t.makers.list(l)) == 0 {
			orphans = append(orphans, l)
		}
	}
	if len(orphans) > 0 {
		return outcome{status: plan.NoCapability, unmet: orphans}
	}
	return outcome{status: plan.Blocked, unmet: t.findMissing(t.goal)}
}

// prove is the proof that a route is shortest.
func (t *task) prove(r route) plan.Proof {
	if len(r.cuts) < len(r.steps) || r.gaveUp {
		if r.exact && !r.gaveUp {
			return plan.Proof{Kind: plan.BySearch}
		}
		return plan.Proof{Kind: plan.Unproved}
	}
	cuts := r.cuts
	p := plan.Proof{Kind: plan.ByCuts}
	for _, cut := range cuts {
		names := make([]string, len(cut))
		for i, o := range cut {
			names[i] = t.operators[o].Tool.Name
		}
		slices.Sort(names)
		p.Cuts = append(p.Cuts, slices.Compact(names))
	}
	slices.SortFunc(p.Cuts, slices.Compare[[]string])
	return p
}
