package print

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/app/recipes/recipe"
)

// PrintRecipe prints all that a recipe says: what a person has to know to run it.
func (s *Console) PrintRecipe(r *recipe.Recipe) {
	s.Print("%s  %s", r.Name, r.Description)
	var rows [][]string
	for _, p := range r.Params {
		value := "must be given"
		if p.Default != nil {
			value = fmt.Sprintf("default %v", p.Default)
		}
		if p.Pattern != "" {
			value += ", fits " + p.Pattern
		}
		rows = append(rows, []string{"  " + p.Name, string(p.Type), value, p.Description})
	}
	s.Columns(rows)
	before := ""
	for _, step := range r.Steps {
		line := "  " + step.ID + "  " + step.Tool
		if step.Description != "" {
			line += "  " + step.Description
		}
		s.Print("%s", line)
		if needs := strings.Join(step.DependsOn, ", "); needs != before {
			s.Print("%s", Paint(Quiet, "      after "+FirstOf(needs, "none")))
		}
		before = step.ID
		for _, name := range slices.Sorted(maps.Keys(step.Args)) {
			s.Print("      %s: %s", name, Argument(step.Args[name]))
		}
		if step.Target != nil {
			s.Print("%s", Paint(Quiet, "      stops unless it is "+targetOf(*step.Target)))
		}
	}
}

// targetOf is what a step has to act on: button "Find" on youtube.com.
func targetOf(t recipe.Target) string {
	words := []string{t.Role}
	if t.Role == "" && t.Name != "" {
		words = []string{"an element"}
	}
	if t.Name != "" {
		words = append(words, fmt.Sprintf("%q", t.Name))
	}
	if t.Host != "" {
		words = append(words, "on "+t.Host)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}
