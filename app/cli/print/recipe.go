package print

import (
	"maps"
	"slices"
	"strings"

	"errand/app/recipes/recipe"
	"errand/planner/message"
)

// PrintRecipe prints what a user has to know to run a recipe.
func (s *Console) PrintRecipe(r *recipe.Recipe) {
	s.Printf("%s  %s", r.Name, r.Description)
	var rows [][]string
	for _, p := range r.Params {
		value := message.New("cli.param_required", "pattern", p.Pattern)
		if p.Default != nil {
			value = message.New("cli.param_default", "value", p.Default, "pattern", p.Pattern)
		}
		rows = append(rows, []string{"  " + p.Name, string(p.Type), s.TextOf(value), p.Description})
	}
	s.Columns(rows)
	before := ""
	for _, step := range r.Steps {
		line := "  " + step.ID + "  " + step.Tool
		if step.Description != "" {
			line += "  " + step.Description
		}
		s.Printf("%s", line)
		if needs := strings.Join(step.DependsOn, ", "); needs != before {
			s.Printf("      %s", PaintMessage(Quiet, "cli.recipe_step_after", "steps", needs))
		}
		before = step.ID
		for _, name := range slices.Sorted(maps.Keys(step.Args)) {
			s.Printf("      %s: %s", name, Argument(step.Args[name]))
		}
		if step.Target != nil {
			s.Printf("      %s", PaintMessage(Quiet, "cli.recipe_step_target", "target", describeTarget(*step.Target)))
		}
	}
}

// describeTarget describes the element that a step must act on: button "Find" on youtube.com.
func describeTarget(t recipe.Target) message.Message {
	target := message.New("cli.target_element", "role", t.Role)
	if t.Name != "" {
		target = message.New("cli.target_named", "role", t.Role, "name", t.Name)
	}
	if t.Host != "" {
		target = message.New("cli.target_on_host", "target", target, "host", t.Host)
	}
	return target
}
