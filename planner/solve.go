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
	r := t.route(goal, reached, b)
	switch {
	case len(r.steps) == 0 && len(lost) > 0:
		return t.hopeless(lost)
	case len(r.steps) == 0 && r.gaveUp:
		return outcome{status: plan.Blocked, unmet: open, gaveUp: true}
	case len(r.steps) == 0:
		return outcome{status: plan.Blocked, unmet: t.obstacle(goal)}
	}
	o := outcome{status: plan.Success, goal: sorted(r.kept), schedule: t.schedule(r.steps, r.kept), proof: t.prove(r)}
	if len(o.goal) < len(t.goal) {
		o.status = plan.Partial
		_, o.unmet = without(t.goal, marked(len(t.init), o.goal))
	}
	return o
}

// marked is a set of literals as flags.
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

// prove names the reason why a route is shortest.
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
			names[i] = t.operators[o].tool.Name
		}
		slices.Sort(names)
		p.Cuts = append(p.Cuts, slices.Compact(names))
	}
	slices.SortFunc(p.Cuts, slices.Compare[[]string])
	return p
}
