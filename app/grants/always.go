package core

import (
	"encoding/json"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/policy"
)

// AlwaysCall is a call that a person would have run unasked from now on.
type AlwaysCall struct {
	Tool    string
	Args    map[string]any
	Rule    string // the rule that asks about it now
	Deletes bool   // something is gone or overwritten by it
}

// AlwaysRule is the rule that lets exactly one call run unasked.
type AlwaysRule struct {
	policy.Rule
	Text string // as it stands in errand.toml
}

// AlwaysRules are the rules that would let exactly these calls, with these
// arguments and no others, run unasked when a person's own goal comes to them
// again. What deletes, what was heard and what a rule of the person's own asks
// about is asked about each time: it is a *tool.Error with code never_always.
func (a *App) AlwaysRules(calls []AlwaysCall) ([]AlwaysRule, error) {
	out := []AlwaysRule{}
	if len(calls) == 0 {
		return nil, neverAlways("nothing asks")
	}
	for _, c := range calls {
		switch {
		case c.Deletes:
			return nil, neverAlways("%s deletes, which is asked about each time", c.Tool)
		case c.Rule != policy.RuleDefaultAsk:
			return nil, neverAlways("%s is asked about because of %s, which no rule lifts", c.Tool, c.Rule)
		case strings.HasPrefix(a.conf.Source("policy.rules"), "ERRAND_"):
			return nil, neverAlways("the rules come from the environment (%s)", a.conf.Source("policy.rules"))
		}
		r := policy.Rule{Verdict: policy.Allow, Tool: literally(c.Tool), Origin: "user_goal", Exact: true, Reason: "you allowed exactly this"}
		for name, value := range c.Args {
			text, isText := value.(string)
			if !isText {
				b, err := json.Marshal(value)
				if err != nil {
					return nil, neverAlways("%s: %v", name, err)
				}
				text = string(b)
			}
			if r.Args == nil {
				r.Args = map[string]string{}
			}
			r.Args["/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name)] = literally(text)
		}
		line, ok := a.conf.Line(policy.Change{Key: "rules", Rule: &r})
		if !ok {
			return nil, neverAlways("the rule can't be written into %s", a.conf.Paths.File)
		}
		if !slices.ContainsFunc(out, func(known AlwaysRule) bool { return known.Text == line.Text }) {
			out = append(out, AlwaysRule{r, line.Text})
		}
	}
	return out, nil
}

func neverAlways(format string, args ...any) error {
	return tool.Errorf(tool.PolicyDenied, "never_always", format, args...)
}

// literally is text as a glob that matches nothing else.
func literally(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`).Replace(text)
}
