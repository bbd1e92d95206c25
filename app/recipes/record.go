package recipes

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"

	"errand/app/recipes/recipe"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/trace"
)

// OfRecord returns the name and the values of the user's own recipe that a run executed.
// It leaves out values that the record does not store. ok is false for other runs.
func OfRecord(rec trace.Record) (r Run, ok bool) {
	var set setting.Setting
	if json.Unmarshal(rec.Setting, &set) != nil || set.Run.PlanSource != setting.GivenRecipe {
		return r, false
	}
	r.Ref, r.Values = set.Run.Recipe, maps.Clone(set.Run.Params)
	maps.DeleteFunc(r.Values, func(_, value string) bool { return secrets.IsMarked(value) })
	return r, recipe.ValidName(r.Ref)
}

// nameOf returns the name of a recipe that is valid from any folder: the name of one of
// the user's own, the absolute path of any other file.
func (l *Library) nameOf(ref string) string {
	if recipe.ValidName(ref) {
		return ref
	}
	if l.isOwn(ref) {
		return strings.TrimSuffix(filepath.Base(ref), recipe.Ext)
	}
	if whole, err := filepath.Abs(ref); err == nil {
		return whole
	}
	return ref
}
