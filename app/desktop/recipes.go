package desktop

import (
	"context"
	"encoding/json"
	"slices"

	"errand/app/desktop/view"
	"errand/app/recipes"
	"errand/app/recipes/recipe"
	"errand/app/runs"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// recipeAPI is the part of [API] that keeps, plans and runs recipes.
type recipeAPI struct {
	*session
	goals *goalAPI
	runs  *runAPI
}

// Recipes lists the user's recipes by name, including those that can't be read.
func (a *recipeAPI) Recipes() ([]view.Recipe, error) {
	return query(a.session, askTimeout, []view.Recipe{}, func(_ context.Context, e *Engine) ([]view.Recipe, error) { return recipesOf(e) })
}

func recipesOf(e *Engine) ([]view.Recipe, error) {
	list, err := e.Recipes.List()
	out := make([]view.Recipe, len(list))
	for i, f := range list {
		out[i] = view.Recipe{Name: f.Name, File: f.File, Description: f.Description, Params: []view.RecipeParam{}, Steps: f.Steps, Problem: f.Error}
		for _, p := range f.Params {
			out[i].Params = append(out[i].Params, paramOf(p))
		}
	}
	return out, err
}

func paramOf(p recipe.Param) view.RecipeParam {
	out := view.RecipeParam{Name: p.Name, Type: string(p.Type), Description: p.Description, IsRequired: p.Default == nil, Pattern: p.Pattern}
	switch v := p.Default.(type) {
	case nil:
	case string:
		out.Default = v
	default:
		if b, err := json.Marshal(v); err == nil {
			out.Default = string(b)
		}
	}
	return out
}

// SaveRecipe makes a recipe of a completed run and stores it by a name. If the name is taken
// and Replace is false, the error's code is recipe_taken.
func (a *recipeAPI) SaveRecipe(ask view.SaveRecipeAsk) (view.Recipe, error) {
	return query(a.session, askTimeout, view.Recipe{}, func(ctx context.Context, e *Engine) (view.Recipe, error) {
		if _, _, err := e.Recipes.Save(ctx, ask.RunID, ask.Name, ask.Replace, a.language().Text); err != nil {
			return view.Recipe{}, err
		}
		list, err := recipesOf(e)
		if err != nil {
			return view.Recipe{}, err
		}
		i := slices.IndexFunc(list, func(r view.Recipe) bool { return r.Name == ask.Name })
		if i < 0 {
			return view.Recipe{}, tool.NewError(tool.ExecutionError, recipes.CodeNotFound, message.New("window.recipe_not_found", "name", ask.Name))
		}
		return list[i], nil
	})
}

// RemoveRecipe deletes the file of a recipe, even if it can't be read.
func (a *recipeAPI) RemoveRecipe(name string) error {
	_, err := query(a.session, askTimeout, struct{}{}, func(_ context.Context, e *Engine) (struct{}, error) {
		return struct{}{}, e.Recipes.Remove(name)
	})
	return err
}

// PlanRecipe does the same as [API.Plan] for a recipe with its parameters.
func (a *recipeAPI) PlanRecipe(ask view.RecipeAsk) (view.Plan, error) {
	w, err := recipeWish(ask)
	if err != nil {
		return view.Plan{}, err
	}
	return a.goals.plan(w)
}

// RunRecipe does the same as [API.Run] for a recipe. It ignores the goal in ask.
func (a *recipeAPI) RunRecipe(of view.RecipeAsk, ask view.RunAsk) (view.Run, error) {
	w, err := recipeWish(of)
	if err != nil {
		return view.Run{}, err
	}
	return a.runs.startWish(w, ask)
}

// wish converts the recipe to a request. It takes only recipes that are stored by a name,
// because files from elsewhere may be written by others.
func recipeWish(r view.RecipeAsk) (wish, error) {
	if !recipe.ValidName(r.Name) {
		return wish{}, tool.NewError(tool.ValidationError, recipes.CodeNotFound, message.New("window.bad_recipe_name", "name", r.Name))
	}
	values := map[string]string{}
	if r.Values == nil {
		r.Values = []view.Pair{}
	}
	for _, v := range r.Values {
		values[v.Name] = v.Value
	}
	return wish{
		words: recipe.Words(r.Name, nil), recipe: &r, run: &recipes.Run{Ref: r.Name, Values: values},
		request: runs.Request{Origin: plan.UserGoal},
	}, nil
}
