package named

import (
	"slices"
	"strings"

	"errand/planner/message"
)

// Recipes returns the recipes of all that one of names may mean.
func Recipes(all, names []string) (meant []string) {
	for _, n := range names {
		for _, own := range SpokenAs(all, n) {
			if !slices.Contains(meant, own) {
				meant = append(meant, own)
			}
		}
	}
	return meant
}

// SpokenAs returns the recipe with exactly this name, or else those whose names are said like it.
func SpokenAs(all []string, name string) []string {
	if slices.Contains(all, name) {
		return []string{name}
	}
	var alike []string
	for _, own := range all {
		if spoken(own) == spoken(name) {
			alike = append(alike, own)
		}
	}
	return alike
}

// NearestSpoken returns the recipe's name, as people say it, that resembles a name; empty: none does.
func NearestSpoken(all []string, name string) string {
	names := make([]string, len(all))
	for i, own := range all {
		names[i] = spoken(own)
	}
	return message.Nearest(spoken(name), names)
}

// spoken is a recipe's name as people say it: "morning-news" and "Morning news" are the same.
func spoken(name string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(name))), " ")
}
