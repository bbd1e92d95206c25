package planning

import (
	"context"
	"slices"
	"strings"

	"errand/planner/interpret"
	"errand/planner/interpret/named"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// Recipes are the user's own recipes.
type Recipes struct {
	Names func() []string // in order
	Plan  func(ctx context.Context, name string) (Planned, error)
}

// isOne reports whether a text runs one of the recipes.
func (r Recipes) isOne(t *parse.Text) bool {
	names := named.FindRecipe(t)
	return r.Names != nil && len(names) > 0 && len(named.Recipes(r.Names(), names)) == 1
}

// recipeQuestion is the id of the question which recipe is meant.
const recipeQuestion = "recipe"

// maxOfferedRecipes bounds the choices of that question.
const maxOfferedRecipes = 8

// readRecipe reads a command that runs a recipe, where the words say nothing else. A
// transcript and an origin other than the user, now or for later, run no recipe by its name.
func (p *Planner) readRecipe(in Interpretation, text string, request Request) Interpretation {
	if in.Status == interpret.OK || p.recipes.Names == nil || !request.isUsersText() && (request.Voice != nil || request.Origin != plan.Schedule) {
		return in
	}
	names := named.FindRecipe(p.reader.Parse(text))
	if len(names) == 0 {
		return p.offerRecipe(in, request)
	}
	if answer := request.Answers[recipeQuestion]; answer != "" {
		names = []string{answer}
	}
	name := names[0]
	all := p.recipes.Names()
	meant := named.Recipes(all, names)
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
	} else if near := named.NearestSpoken(all, name); near != "" {
		offered = named.SpokenAs(all, near)
	}
	for _, own := range offered[:min(len(offered), maxOfferedRecipes)] {
		q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(own), Value: own})
	}
	in = withoutGoals(in, interpret.Ambiguous, q.Question)
	in.Questions = []plan.Question{q}
	return in
}

// recipeChoice begins the value of a choice that runs a recipe.
const recipeChoice = "recipe:"

// offerRecipe puts the recipe of that name before the other choices where the words name
// something unknown: "run trip". The answer that chooses it runs it.
func (p *Planner) offerRecipe(in Interpretation, request Request) Interpretation {
	all := p.recipes.Names()
	for _, answer := range request.Answers {
		if name, ok := strings.CutPrefix(answer, recipeChoice); ok && slices.Contains(all, name) {
			in = withoutGoals(in, interpret.OK, message.Message{})
			in.Questions, in.Suggestions, in.Recipe = []plan.Question{}, nil, name
			return in
		}
	}
	if in.Status != interpret.Ambiguous || len(in.Questions) == 0 {
		return in
	}
	words, _ := in.Questions[0].Question.Params["words"].(string)
	meant := named.SpokenAs(all, words)
	if words == "" || len(meant) == 0 {
		return in
	}
	q := in.Questions[0]
	for _, own := range slices.Backward(meant[:min(len(meant), maxOfferedRecipes)]) {
		q.Choices = slices.Insert(slices.Clone(q.Choices), 0, plan.Choice{Label: message.New("question.choice_recipe", "name", own), Value: recipeChoice + own})
	}
	in.Questions = []plan.Question{q}
	return in
}
