package core

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"

	"errand/app/core/recipe"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/trace"
)

// RecipeOf is which of the person's own recipes a run carried out, and with what.
// A value that the record does not keep is left out. ok is false where the run was
// of no such recipe.
func RecipeOf(rec trace.Record) (r RecipeRun, ok bool) {
	var set setting.Setting
	if json.Unmarshal(rec.Setting, &set) != nil || set.Own.Given != setting.GivenRecipe {
		return r, false
	}
	r.Ref, r.Values = set.Own.Recipe, maps.Clone(set.Own.Params)
	maps.DeleteFunc(r.Values, func(_, value string) bool { return secrets.Marked(value) })
	return r, recipe.ValidName(r.Ref)
}

// recipeCalled is what a recipe is called from anywhere, however it was given: one
// of the person's own by its name, another by the whole path of its file.
func (a *App) recipeCalled(ref string) string {
	if recipe.ValidName(ref) {
		return ref
	}
	if a.ownRecipe(ref) {
		return strings.TrimSuffix(filepath.Base(ref), recipe.Ext)
	}
	if whole, err := filepath.Abs(ref); err == nil {
		return whole
	}
	return ref
}
