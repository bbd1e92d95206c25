package planning

import (
	"context"
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/named"
	"errand/planner/message"
	"errand/planner/plan"
)

// Recipes are the user's own recipes.
type Recipes struct {
	Names func() []string // in order
	Plan  func(ctx context.Context, name string) (Planned, error)
}

// recipeQuestion is the id of the question which recipe is meant.
const recipeQuestion = "recipe"

// maxOfferedRecipes bounds the choices of that question.
const maxOfferedRecipes = 8

// readRecipe reads a command that runs a recipe, where the words say nothing else. A
// transcript and an origin other than the user run no recipe by its name.
func (p *Planner) readRecipe(in Interpretation, text string, request Request) Interpretation {
	if in.Status == interpret.OK || p.recipes.Names == nil || !request.isUsersText() {
		return in
	}
	names := named.FindRecipe(p.reader.Parse(text))
	if len(names) == 0 {
		return in
	}
	if answer := request.Answers[recipeQuestion]; answer != "" {
		names = []string{answer}
	}
	name := names[0]
	all := p.recipes.Names()
	spoken := make([]string, len(all))
	for i, own := range all {
		spoken[i] = spokenName(own)
	}
	var meant []string
	for _, n := range names {
		if i := slices.Index(spoken, spokenName(n)); i >= 0 {
			meant = append(meant, all[i])
		}
	}
	if len(meant) == 1 {
		in = withoutGoals(in, interpret.OK, message.Message{})
		in.Questions, in.Suggestions, in.Recipe = []plan.Question{}, nil, meant[0]
		return in
	}
	if len(all) == 0 {
		in = withoutGoals(in, interpret.Unsupported, message.New("planning.no_recipes"))
		in.Questions = []plan.Question{}
		return in
	}
	q := plan.Question{ID: recipeQuestion, Question: message.New("question.recipe", "name", name), FreeTextAllowed: true}
	offered := all
	if len(meant) > 1 {
		q.Question, offered = message.New("question.choice"), meant
	} else if near := message.Nearest(spokenName(name), spoken); near != "" {
		offered = []string{all[slices.Index(spoken, near)]}
	}
	for _, own := range offered[:min(len(offered), maxOfferedRecipes)] {
		q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(own), Value: own})
	}
	in = withoutGoals(in, interpret.Ambiguous, q.Question)
	in.Questions = []plan.Question{q}
	return in
}

// spokenName is a recipe's name as people say it: "morning-news" and "Morning news" are the
// same.
func spokenName(name string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(name))), " ")
}
