package planner

import (
	"fmt"
	"slices"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/solve"
)

// agenda is a request while it is planned: its goals as aims, and the tools that can
// reach them.
type agenda struct {
	planner     *Planner
	request     Request
	tools       []*plan.Capability // by name
	aims        []aim
	byFact      map[string]int // aims by the facts that stand for them
	needs       graph          // between aims
	pagesToShow []string       // the pages that aims need to be in sight
	controls    int            // number of the aims so far that are about the open page
	hasPage     bool           // a page is open, or one of the aims so far opens one
}

// readGoals turns a merged goal set into aims. Goals that mean the same thing become
// one aim.
func (a *agenda) readGoals(set plan.GoalSet) error {
	var questions []plan.Question
	a.byFact = make(map[string]int, len(set.Goals))
	a.hasPage = a.request.World.HasOpenPage()
	byID := make(map[string]int, len(set.Goals))
	for i, g := range set.Goals {
		m, q := a.readGoal(g)
		if q != nil {
			q.ID = goalID(g, i) + q.ID
			questions = append(questions, *q)
			continue
		}
		at, same := a.byFact[m.fact]
		if !same {
			at = len(a.aims)
			a.byFact[m.fact], m.place = at, at
			a.aims = append(a.aims, m)
			if a.hasPage = a.hasPage || m.opensPage(); m.isPageControl() {
				a.controls++
			}
		}
		byID[goalID(g, i)] = at
	}
	open := len(questions) > 0
	for i, m := range a.aims {
		if j, ok := a.byFact[m.oppositeFact()]; ok && j > i && !open {
			questions = append(questions, a.askWhichAction(m, a.aims[j]))
		}
	}
	if len(questions) > 0 {
		return &plan.AmbiguousError{Questions: questions}
	}
	a.needs = newGraph(len(a.aims))
	a.orderPaths() // first: no order of the words changes it
	orderPageControls(a)
	for i, g := range set.Goals {
		for _, n := range set.Deps[goalID(g, i)] {
			a.addNeed(byID[goalID(g, i)], byID[n])
		}
	}
	a.addPages()
	return nil
}

// addNeed makes one aim wait for another, unless that closes a cycle.
func (a *agenda) addNeed(from, to int) {
	if from != to && !(len(a.needs.out[to]) > 0 && a.needs.hasPath(to, from)) {
		a.needs.add(from, to)
	}
}

// orderPaths orders paths inside each other: a folder is created before its content
// and deleted after it.
func (a *agenda) orderPaths() {
	byPath := map[string]int{}
	for i, m := range a.aims {
		if m.path != "" {
			byPath[m.action+" "+m.path] = i
		}
	}
	a.orderMoves()
	a.orderTrash()
	for i, m := range a.aims {
		for parent := parentOf(m.path); parent != ""; parent = parentOf(parent) {
			j, ok := byPath[m.action+" "+parent]
			switch {
			case ok && m.action == "create":
				a.addNeed(i, j)
			case ok && m.action == "delete":
				a.addNeed(j, i)
			}
		}
	}
}

// problem compiles the open aims for the solver. Each aim is a fact, caused by every
// tool that can achieve it. Other tools may supply what those tools require.
func (a *agenda) problem() solve.Problem {
	world := a.request.World.Facts()
	if w := a.request.World; w.BrowserRunning && w.BrowserLastURL != "" {
		world = append(world, plan.PageOpen)
	}
	var operators []solve.Operator
	byKey := a.achieversByKey()
	var goal []string
	for i, m := range a.aims {
		switch {
		case m.isTrue:
			world = append(world, m.fact)
			if slices.Contains(a.pagesToShow, m.url) && !m.isPageAction() {
				world = append(world, shownFact(m.url))
			}
		case m.refusal.IsZero() && m.isImplied:
			operators = append(operators, a.operators(i, byKey)...)
		case m.refusal.IsZero():
			goal = append(goal, m.fact)
			operators = append(operators, a.operators(i, byKey)...)
		}
	}
	return solve.Problem{World: world, Goal: goal, Operators: append(operators, a.suppliers(operators)...)}
}

// operators are the preferred tools that can achieve aim i, with its arguments.
func (a *agenda) operators(i int, byKey map[string][]*plan.Capability) []solve.Operator {
	m := a.aims[i]
	var needs []string
	for _, n := range a.needs.out[i] {
		needs = append(needs, a.aims[n].fact)
	}
	var tools []*plan.Capability
	for _, key := range m.keys() {
		for _, c := range byKey[key] {
			if !slices.Contains(tools, c) && m.isAchievedBy(c) {
				tools = append(tools, c)
			}
		}
	}
	var out []solve.Operator
	for _, c := range keepPreferred(tools) {
		sees, shows := a.visibility(i)
		o := solve.Operator{Tool: c, Goal: i, Place: m.place, Requires: slices.Concat(c.Requires, needs, sees)}
		o.Effects = append(append(m.effectsOf(c), m.fact), shows...)
		if slices.Contains(c.Requires, plan.PageOpen) && m.url != "" && !m.isPageAction() {
			o.Deletes++ // it takes the open page away from whatever it shows
		}
		out = append(out, o)
	}
	return out
}

// result turns an outcome into a result with reasons.
func (a *agenda) result(o solve.Outcome) (plan.Result, error) {
	var refused []int
	for i, m := range a.aims {
		if !m.refusal.IsZero() {
			refused = append(refused, i)
		}
	}
	unmet := a.effectsOf(o.Unmet)
	for _, i := range refused {
		unmet = append(unmet, a.aims[i].effect)
	}
	slices.Sort(unmet)
	unmet = slices.Compact(unmet)
	switch {
	case o.Status == plan.Success || o.Status == plan.Partial:
		p, err := a.assemble(o)
		if err != nil {
			return plan.Result{}, fmt.Errorf("assemble plan: %w", err)
		}
		if len(unmet) == 0 {
			return plan.NewSuccess(p, o.Proof), nil
		}
		return plan.PartlySucceeded(p, a.explain(o, refused, unmet), unmet, o.Proof), nil
	case len(refused) > 0:
		return plan.BlockedBy(a.explain(o, refused, unmet), unmet), nil
	case o.Status == plan.AlreadySatisfied:
		return plan.NewSatisfied(a.explainSatisfied()), nil
	case o.Status == plan.NoCapability:
		return plan.Incapable(a.explain(o, nil, unmet), unmet), nil
	}
	return plan.BlockedBy(a.explain(o, nil, unmet), unmet), nil
}

// explain lists the reasons why a result is not a full success.
func (a *agenda) explain(o solve.Outcome, refused []int, unmet []string) message.Message {
	var reasons []message.Message
	for _, i := range refused {
		reasons = append(reasons, a.aims[i].refusal)
	}
	orphan := false
	for _, f := range o.Orphans {
		if m, ok := a.aimOf(f); ok {
			orphan = true
			if len(refused) == 0 { // what follows a refused goal has no tool because of it
				reasons = append(reasons, a.explainMissingTool(m))
			}
		}
	}
	switch {
	case o.GaveUp:
		reasons = append(reasons, message.New("reason.budget"))
	case o.Status == plan.Blocked && !orphan:
		reasons = append(reasons, message.New("reason.unmet"))
	case len(reasons) == 0 || o.Status == plan.Partial && len(refused) == 0 && !orphan:
		reasons = append(reasons, message.New("reason.partly_unmet"))
	}
	return joinReasons(reasons)
}

// joinReasons makes one message of reasons, one sentence each.
func joinReasons(reasons []message.Message) message.Message {
	const most = 5 // a thousand goals do not need a thousand sentences
	switch reasons = slices.CompactFunc(reasons, message.Message.Equal); {
	case len(reasons) == 1:
		return reasons[0]
	case len(reasons) > most:
		return message.New("reason.first_of_several", "reasons", reasons[:most])
	}
	return message.New("reason.several", "reasons", reasons)
}

// explainSatisfied says what is true already.
func (a *agenda) explainSatisfied() message.Message {
	var reasons []message.Message
	for _, m := range a.aims {
		switch {
		case !m.isTrue:
		case m.goal.EmptiesTrash():
			reasons = append(reasons, message.New("reason.trash_empty"))
		case m.goal.GoalType == plan.FileOperation && m.action == "create":
			reasons = append(reasons, message.New("reason.exists", "path", m.path))
		case m.goal.GoalType == plan.FileOperation:
			reasons = append(reasons, message.New("reason.not_there", "kind", m.goal.ObjectType, "path", m.path))
		case m.goal.GoalType == plan.AppLaunch:
			reasons = append(reasons, message.New("reason.app_open", "app", nameOrID(m.app.Name, m.goal.Target)))
		case m.url != "":
			reasons = append(reasons, message.New("reason.page_open", "url", m.url))
		}
	}
	if len(reasons) == 0 {
		return message.New("reason.satisfied")
	}
	return joinReasons(reasons)
}

// explainMissingTool says that no tool can do what an aim asks for, and names the most similar
// tool. The result has the effect.
func (a *agenda) explainMissingTool(m aim) message.Message {
	return message.New("reason.no_tool", "nearest", findNearestTool(m.effect+" "+m.keys()[0], a.tools))
}

func (a *agenda) aimOf(fact string) (aim, bool) {
	i, ok := a.byFact[fact]
	if !ok {
		return aim{}, false
	}
	return a.aims[i], true
}

// effectsOf replaces facts that are aims by the effects of the aims.
func (a *agenda) effectsOf(facts []string) []string {
	out := []string{}
	for _, f := range facts {
		if m, ok := a.aimOf(f); ok {
			f = m.effect
		}
		out = append(out, f)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
