package view

import "errand/planner/message"

// Recipe is a stored plan with a name.
type Recipe struct {
	Name        string          `json:"name"`
	File        string          `json:"file"`
	Description string          `json:"description"`
	Params      []RecipeParam   `json:"params"`
	Steps       int             `json:"steps"`
	Problem     message.Message `json:"problem"` // why it can't run; "" if it can
}

// RecipeParam is a parameter of a recipe.
type RecipeParam struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Default     string `json:"default"`
	IsRequired  bool   `json:"needed"`  // it has no default
	Pattern     string `json:"pattern"` // regular expression (RE2) of the whole value; "" for any
}

// RecipeAsk asks for a recipe with values for its parameters.
type RecipeAsk struct {
	Name   string `json:"name"`
	Values []Pair `json:"values"` // the other parameters have their defaults
}

// SaveRecipeAsk saves a run as a recipe.
type SaveRecipeAsk struct {
	RunID   string `json:"run_id"`
	Name    string `json:"name"`    // lower-case letters, digits, _ and -, at most 64
	Replace bool   `json:"replace"` // replace a recipe with this name
}
