package planner

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/plan"
)

// Options are what [Solve] may be told beside the problem. The zero value is
// the default of each.
type Options struct {
	Origin   plan.Origin // user_goal if empty
	Language string      // of the summary, previews and reasons; "en" if empty or unknown
	Budget   int         // search nodes; 0: 100,000 sets of tools, or 250,000 states where facts can end
}

func (o *Options) filled() (Options, budgets) {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Language == "" {
		out.Language = english.language
	}
	if out.Origin == "" {
		out.Origin = plan.UserGoal
	}
	b := budgets{setBudget, stateBudget}
	if out.Budget > 0 {
		b = budgets{out.Budget, out.Budget}
	}
	return out, b
}

// Solve plans for facts: the fewest tools, run in an order that works, after
// which every fact of the goal holds (and every "!fact" does not). Actions
// have no arguments. The error is about the problem itself: a name or a fact
// that is none, or one tool defined in two ways.
//
// It is pure and safe for concurrent use.
func Solve(p plan.Problem, o *Options) (plan.Result, error) {
	opt, b := o.filled()
	if err := validFacts(p.World, p.Goal); err != nil {
		return plan.Result{}, fmt.Errorf("read problem: %v", err)
	}
	tools, err := distinct(p.Capabilities)
	if err != nil {
		return plan.Result{}, err
	}
	operators := make([]operator, len(tools))
	for i, c := range tools {
		operators[i] = operator{tool: c, goal: bare, requires: c.Requires, effects: c.Effects}
	}
	t := newTask(p.World, p.Goal, operators)
	return t.result(t.solve(b), opt)
}

// result words an outcome.
func (t *task) result(o outcome, opt Options) (plan.Result, error) {
	w := wordsOf(opt.Language)
	unmet := t.names(o.unmet)
	switch o.status {
	case plan.AlreadySatisfied:
		return plan.Satisfied(w.holds), nil
	case plan.NoCapability:
		return plan.Incapable(t.incapable(w, unmet), unmet), nil
	case plan.Blocked:
		if o.gaveUp {
			return plan.BlockedBy(w.gaveUp, unmet), nil
		}
		return plan.BlockedBy(fmt.Sprintf(w.blocked, w.list(unmet)), unmet), nil
	}
	d := t.draft(o, w)
	for i := range d {
		c := t.operators[o.schedule.ops[i]].tool
		d[i].Preview = fmt.Sprintf(w.runTool, d[i].Tool)
		d[i].ReadOnly, d[i].RiskLevel = c.ReadOnly, riskOf(*c, false)
	}
	scope(d)
	goal := w.list(t.names(o.goal))
	p, err := plan.New(plan.Content{
		Origin: opt.Origin, Domain: "unknown", Language: opt.Language, Summary: fmt.Sprintf(w.reach, goal, w.actions(len(d))),
		Inputs: plan.Inputs{RawText: goal}, Actions: d, Risks: risksOf(d, w), GoalAchievedBy: d[len(d)-1].ActionID,
	})
	if err != nil {
		return plan.Result{}, fmt.Errorf("assemble plan: %v", err)
	}
	if o.status == plan.Partial {
		return plan.PartlySucceeded(p, fmt.Sprintf(w.partial, w.list(unmet)), unmet, o.proof), nil
	}
	return plan.Succeeded(p, o.proof), nil
}

// incapable names the missing effects and, where one is near in words, a tool.
func (t *task) incapable(w *words, effects []string) string {
	reason := fmt.Sprintf(w.incapable, w.list(effects))
	if tool := nearest(effects[0], t.operators); tool != "" {
		reason += fmt.Sprintf(w.nearest, tool)
	}
	return reason
}

// nearest is the tool that shares most words with an effect, by its own effects
// and its name; the first by name among equals, none if nothing is shared.
func nearest(effect string, operators []operator) string {
	best, score := "", 0
	wanted := wordsIn(effect)
	for _, o := range operators {
		have := wordsIn(strings.Join(slices.Concat(o.tool.Effects, o.tool.CanAchieve, []string{o.tool.Name}), " "))
		n := 0
		for w := range wanted {
			if have[w] {
				n++
			}
		}
		if n > score || n == score && n > 0 && o.tool.Name < best {
			best, score = o.tool.Name, n
		}
	}
	return best
}

// hollow words are in so many names that sharing one says nothing.
var hollow = []string{"known", "running", "visible", "loaded", "system", "operation"}

func wordsIn(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("._-:/ !", r) }) {
		out[w] = true
	}
	for _, w := range hollow {
		delete(out, w)
	}
	return out
}
