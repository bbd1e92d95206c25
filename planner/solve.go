package planner

import (
	"slices"

	"errand/planner/plan"
)

// outcome is what solving a task came to.
type outcome struct {
	status   plan.Status
	schedule schedule // success and partial
	goal     []lit    // what the schedule reaches
	unmet    []lit    // as [plan.Result] defines it for the status
	proof    plan.Proof
	gaveUp   bool // blocked because a budget ended, not because it is proved
}

// budgets count search nodes.
type budgets struct{ sets, states int }

func (t *task) solve(b budgets) outcome {
	_, open := without(t.goal, t.init)
	if len(open) == 0 {
		return outcome{status: plan.AlreadySatisfied}
	}
	reached := t.closure(t.init, nil)
	attainable, lost := without(open, reached)
	if len(attainable) == 0 {
		return t.hopeless(lost)
	}
	_, goal := without(t.goal, marked(len(t.init), lost))
	o := t.reach(goal, reached, b)
	switch {
	case o.status == plan.Blocked && len(lost) > 0:
		return t.hopeless(lost)
	case o.status == plan.Success && len(lost) > 0:
		o.status = plan.Partial
	}
	if o.status == plan.Partial {
		_, o.unmet = without(t.goal, marked(len(t.init), o.goal))
	}
	return o
}

func marked(n int, lits []lit) []bool {
	out := make([]bool, n)
	for _, l := range lits {
		out[l] = true
	}
	return out
}

// hopeless says why nothing of the open goals can be reached.
func (t *task) hopeless(open []lit) outcome {
	var orphans []lit
	for _, l := range open {
		if len(t.makers.of(l)) == 0 {
			orphans = append(orphans, l)
		}
	}
	if len(orphans) > 0 {
		return outcome{status: plan.NoCapability, unmet: orphans}
	}
	return outcome{status: plan.Blocked, unmet: t.missing(t.goal)}
}

// reach plans for a goal that can be reached if nothing ends.
func (t *task) reach(goal []lit, reached []bool, b budgets) outcome {
	in := t.relevant(goal, reached, false)
	if t.monotone(goal, in) {
		s := t.smallest(goal, in, b.sets)
		o := outcome{status: plan.Success, goal: goal, schedule: t.schedule(t.sequence(s.ops), goal)}
		o.proof = t.prove(len(s.ops), s.cuts, s.exact)
		return o
	}
	return t.reachStates(goal, t.relevant(goal, reached, true), reached, b)
}

// reachStates plans for a goal on the way to which facts end.
func (t *task) reachStates(goal []lit, in, reached []bool, b budgets) outcome {
	s := newStates(t, goal, in)
	a := s.search(b.states, 1)
	found, exact := a.run()
	switch {
	case found >= 0:
		steps := a.way(found)
		if exact {
			steps = a.canonical(found)
		}
		var cuts [][]int32
		s.bound(s.init, func(cut []int32) {
			for i, o := range cut {
				cut[i] = s.ids[o]
			}
			cuts = append(cuts, cut)
		})
		return outcome{status: plan.Success, goal: goal, schedule: t.schedule(steps, goal), proof: t.prove(len(steps), cuts, true)}
	case exact:
		return t.reachPart(s, goal, reached, b)
	}
	const hurry = 4 // a goal-hungry search finds some plan where the careful one ran out
	a = s.search(b.states, hurry)
	if found, _ = a.run(); found >= 0 {
		return outcome{status: plan.Success, goal: goal, schedule: t.schedule(a.way(found), goal), proof: plan.Proof{Kind: plan.Unproved}}
	}
	_, open := without(goal, t.init)
	return outcome{status: plan.Blocked, unmet: open, gaveUp: true}
}

// reachPart plans for the largest part of a goal that can't be reached whole.
func (t *task) reachPart(s *states, goal []lit, reached []bool, b budgets) outcome {
	part, exact := s.largest(goal)
	if len(part) == 0 {
		return outcome{status: plan.Blocked, unmet: t.obstacle(goal)}
	}
	o := t.reach(part, reached, b)
	o.status = plan.Partial
	if !exact {
		o.proof = plan.Proof{Kind: plan.Unproved}
	}
	return o
}

// prove names the reason why a plan of n actions is smallest.
func (t *task) prove(n int, cuts [][]int32, exact bool) plan.Proof {
	if len(cuts) < n {
		if exact {
			return plan.Proof{Kind: plan.BySearch}
		}
		return plan.Proof{Kind: plan.Unproved}
	}
	p := plan.Proof{Kind: plan.ByCuts}
	for _, cut := range cuts {
		names := make([]string, len(cut))
		for i, o := range cut {
			names[i] = t.operators[o].tool.Name
		}
		slices.Sort(names)
		p.Cuts = append(p.Cuts, slices.Compact(names))
	}
	slices.SortFunc(p.Cuts, slices.Compare[[]string])
	return p
}
