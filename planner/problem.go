package planner

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/solve"
)

// Options are what [Solve] may be told beside the problem. The zero value is
// the default of each.
type Options struct {
	Origin   plan.Origin // user_goal if empty
	Language string      // of the plan; "en" if empty
	Budget   int         // search nodes; 0: 100,000 sets of tools, or 250,000 states where facts can end
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Language == "" {
		out.Language = defaultLanguage
	}
	if out.Origin == "" {
		out.Origin = plan.UserGoal
	}
	return out
}

// Solve plans for facts: the fewest tools, in an order that works, after which every
// fact of the goal holds (and every "!fact" does not). Actions have no arguments.
// The error is about the problem itself: a malformed name or fact, or one tool
// defined in two ways.
//
// It is pure and safe for concurrent use.
func Solve(p plan.Problem, o *Options) (plan.Result, error) {
	opt := o.withDefaults()
	if err := validFacts(p.World, p.Goal); err != nil {
		return plan.Result{}, message.Error("planner.read_problem", "cause", err)
	}
	tools, err := checkCapabilities(p.Capabilities)
	if err != nil {
		return plan.Result{}, err
	}
	operators := make([]solve.Operator, len(tools))
	for i, c := range tools {
		operators[i] = solve.Operator{Tool: c, Goal: solve.Bare, Requires: c.Requires, Effects: c.Effects}
	}
	outcome := solve.Solve(
		solve.Problem{World: p.World, Goal: p.Goal, Operators: operators},
		solve.Budget{Sets: opt.Budget, States: opt.Budget},
	)
	return describeOutcome(outcome, tools, opt)
}

// describeOutcome turns an outcome into a result with reasons.
func describeOutcome(o solve.Outcome, tools []*plan.Capability, opt Options) (plan.Result, error) {
	unmet := slices.Sorted(slices.Values(o.Unmet))
	switch o.Status {
	case plan.AlreadySatisfied:
		return plan.NewSatisfied(message.New("reason.satisfied")), nil
	case plan.NoCapability:
		return plan.Incapable(explainMissingEffect(unmet, tools), unmet), nil
	case plan.Blocked:
		if o.GaveUp {
			return plan.BlockedBy(message.New("reason.budget"), unmet), nil
		}
		return plan.BlockedBy(message.New("reason.blocked", "facts", unmet), unmet), nil
	}
	d := draftActions(o.Steps)
	for i, s := range o.Steps {
		d[i].Preview = message.New("plan.run_tool", "tool", d[i].Tool)
		d[i].ReadOnly, d[i].RiskLevel = s.Tool.ReadOnly, riskOf(*s.Tool, false)
	}
	setScopes(d)
	goal := slices.Sorted(slices.Values(o.Goal))
	p, err := plan.New(plan.Content{
		Origin: opt.Origin, Domain: "unknown", Language: opt.Language, Summary: message.New("plan.reach", "facts", goal, "count", len(d)),
		Inputs: plan.Inputs{RawText: strings.Join(goal, ", ")}, Actions: d, Risks: risksOf(d), GoalAchievedBy: d[len(d)-1].ActionID,
	})
	if err != nil {
		return plan.Result{}, fmt.Errorf("assemble plan: %w", err)
	}
	if o.Status == plan.Partial {
		return plan.PartlySucceeded(p, message.New("reason.partial", "facts", unmet), unmet, o.Proof), nil
	}
	return plan.NewSuccess(p, o.Proof), nil
}

// explainMissingEffect names the missing effects and, where one is near in words, a tool.
func explainMissingEffect(effects []string, tools []*plan.Capability) message.Message {
	return message.New("reason.no_effect", "effects", effects, "nearest", findNearestTool(effects[0], tools))
}

// findNearestTool is the tool that shares most words with an effect, by its own effects
// and its name; the first by name among equals, none if nothing is shared.
func findNearestTool(effect string, tools []*plan.Capability) string {
	best, score := "", 0
	wanted := wordsIn(effect)
	for _, c := range tools {
		have := wordsIn(strings.Join(slices.Concat(c.Effects, c.CanAchieve, []string{c.Name}), " "))
		n := 0
		for w := range wanted {
			if have[w] {
				n++
			}
		}
		if n > score || n == score && n > 0 && c.Name < best {
			best, score = c.Name, n
		}
	}
	return best
}

// commonWords words are in so many names that sharing one says nothing.
var commonWords = []string{"known", "running", "visible", "loaded", "system", "operation"}

func wordsIn(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("._-:/ !", r) }) {
		out[w] = true
	}
	for _, w := range commonWords {
		delete(out, w)
	}
	return out
}
