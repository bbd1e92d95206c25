package view

import "errand/planner/message"

// Recipe is a plan that was kept by a name.
type Recipe struct {
	Name        string          `json:"name"`
	File        string          `json:"file"`
	Description string          `json:"description"`
	Params      []RecipeParam   `json:"params"`
	Steps       int             `json:"steps"`
	Problem     message.Message `json:"problem"` // why it can't be run; "" where it can
}

// RecipeParam is a value that a recipe is given.
type RecipeParam struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Default     string `json:"default"`
	IsRequired  bool   `json:"needed"`  // there is no default
	Pattern     string `json:"pattern"` // regular expression (RE2) of the whole value; "" for any
}

// RecipeAsk asks for a recipe with values for its parameters.
type RecipeAsk struct {
	Name   string `json:"name"`
	Values []Pair `json:"values"` // those that are not here have their defaults
}

// SaveRecipeAsk keeps a run as a recipe.
type SaveRecipeAsk struct {
	RunID   string `json:"run_id"`
	Name    string `json:"name"`    // lower-case letters, digits, _ and -, at most 64
	Replace bool   `json:"replace"` // one of that name
}
