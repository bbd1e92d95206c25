package grants

import (
	"encoding/json"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// AlwaysCall is a call that the user wants to run without approval from now on.
type AlwaysCall struct {
	Tool    string
	Args    map[string]any
	Rule    string // the rule that asks for approval now
	Deletes bool   // it deletes or overwrites something
	Risky   bool   // its tool may do what can't be undone, such as sending a form
}

// AlwaysRule is the rule that lets exactly one call run without approval.
type AlwaysRule struct {
	policy.Rule
	Text string // as errand.toml has it
}

// AlwaysRules returns rules that let exactly these calls, with these arguments, run
// without approval when a goal of the user leads to them again. A call that
// deletes or can't be undone, that was spoken, or that another rule asks about always needs approval:
// the error has the code never_always.
func (c *Checker) AlwaysRules(calls []AlwaysCall) ([]AlwaysRule, error) {
	out := []AlwaysRule{}
	if len(calls) == 0 {
		return nil, neverAlways(message.New("grants.nothing_asks"))
	}
	for _, call := range calls {
		switch {
		case call.Deletes:
			return nil, neverAlways(message.New("grants.always_deletes", "tool", call.Tool))
		case call.Risky:
			return nil, neverAlways(message.New("grants.always_risky", "tool", call.Tool))
		case call.Rule != policy.RuleDefaultAsk:
			return nil, neverAlways(message.New("grants.always_other_rule", "tool", call.Tool, "rule", call.Rule))
		case strings.HasPrefix(c.Grants.Config.Source("policy.rules"), "ERRAND_"):
			return nil, neverAlways(message.New("grants.rules_in_environment", "variable", c.Grants.Config.Source("policy.rules")))
		}
		r := policy.Rule{Verdict: policy.Allow, Tool: globOf(call.Tool), Origin: "user_goal", Exact: true}
		for name, value := range call.Args {
			text, isText := value.(string)
			if !isText {
				b, err := json.Marshal(value)
				if err != nil {
					return nil, neverAlways(message.New("grants.bad_argument", "name", name, "cause", err))
				}
				text = string(b)
			}
			if r.Args == nil {
				r.Args = map[string]string{}
			}
			r.Args["/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name)] = globOf(text)
		}
		line, ok := c.Grants.Config.Line(policy.Change{Key: "rules", Rule: &r})
		if !ok {
			return nil, neverAlways(message.New("grants.rule_not_written", "file", c.Grants.Config.Paths.File))
		}
		if !slices.ContainsFunc(out, func(known AlwaysRule) bool { return known.Text == line.Text }) {
			out = append(out, AlwaysRule{r, line.Text})
		}
	}
	return out, nil
}

func neverAlways(m message.Message) error {
	return tool.NewError(tool.PolicyDenied, "never_always", m)
}

// globOf returns a glob that matches only the text.
func globOf(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`).Replace(text)
}
