package planning

import (
	"slices"
	"strings"

	"errand/app/secrets"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// guard keeps the secrets of a text out of what is made from its words: a query for a search
// engine, and what is offered in place of words that were not understood. Every
// interpretation passes it.
func guard(vault *secrets.Vault, in Interpretation, text string) Interpretation {
	searches := slices.ContainsFunc(in.Goals, isSearch)
	if !searches && len(in.Suggestions)+len(in.Questions) == 0 {
		return in // nothing is looked for
	}
	found := vault.FindSecrets(text)
	repeats := func(made string) bool {
		return slices.ContainsFunc(found, func(s string) bool { return strings.Contains(made, s) }) || vault.HasSecret(made)
	}
	in.Suggestions = slices.DeleteFunc(in.Suggestions, repeats)
	for i, q := range in.Questions {
		in.Questions[i].Choices = slices.DeleteFunc(q.Choices, func(c plan.Choice) bool {
			held := repeats(c.Value)
			c.Label.MapText(func(shown string) string {
				held = held || repeats(shown)
				return shown
			})
			return held
		})
	}
	if slices.ContainsFunc(in.Goals, func(g plan.Goal) bool { return isSearch(g) && repeats(g.Query) }) {
		return withoutGoals(in, interpret.Unsupported, message.New("reason.secret_in_query"))
	}
	return in
}

func isSearch(g plan.Goal) bool { return g.GoalType == plan.BrowserSearch }
