package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/recipes"
	"errand/app/recipes/recipe"
	"errand/planner/message"
)

// recipeFlags are the flags with which run and plan take a recipe instead of a goal.
type recipeFlags struct {
	ref    string
	params []string
	files  []string
}

func (o *recipeFlags) add(s *commands, c *cobra.Command) {
	c.Flags().StringVar(&o.ref, "recipe", "", "")
	c.Flags().StringArrayVar(&o.params, "param", nil, "")
	c.Flags().StringArrayVar(&o.files, "param-file", nil, "")
	if err := c.RegisterFlagCompletionFunc("recipe", s.CompleteRecipes); err != nil {
		panic(err) // the flag was added above
	}
}

// recipeInput reads the recipe that a command names, and its parameters.
type recipeInput struct{ *commands }

// recipeRun returns the recipe of the flags, or nil without one.
func (s recipeInput) recipeRun(o recipeFlags, args []string) (*recipes.Run, error) {
	switch {
	case o.ref == "" && len(o.params) > 0:
		return nil, print.BadUsage("cli.flag_needs", "flag", "--param", "other", "--recipe")
	case o.ref == "" && len(o.files) > 0:
		return nil, print.BadUsage("cli.flag_needs", "flag", "--param-file", "other", "--recipe")
	case o.ref == "":
		return nil, nil
	case len(args) > 0:
		return nil, print.BadUsage("cli.goal_and_flag", "flag", "--recipe")
	}
	r := &recipes.Run{Ref: o.ref, Values: map[string]string{}}
	set := func(pair, form string, value func(string) (string, error)) error {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return print.BadUsage("cli.not_in_form", "text", pair, "form", form)
		}
		if _, twice := r.Values[name]; twice {
			return print.BadUsage("cli.param_twice", "name", name)
		}
		v, err := value(text)
		if err != nil {
			return print.BadUsage("cli.bad_flag", "flag", "param-file "+name, "cause", err)
		}
		r.Values[name] = v
		return nil
	}
	for _, pair := range o.params {
		if err := set(pair, "NAME=VALUE", func(text string) (string, error) { return text, nil }); err != nil {
			return nil, err
		}
	}
	in := s.paramInput()
	for _, pair := range o.files {
		if err := set(pair, "NAME=FILE", func(file string) (string, error) { return in(file) }); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// paramInput reads values of parameters from files, without the last line's end. Standard input
// has one value.
func (s recipeInput) paramInput() func(file string) (string, error) {
	var taken bool
	return func(file string) (string, error) {
		in := s.Stdin
		switch {
		case file == "-" && taken:
			return "", message.Error("cli.stdin_taken")
		case file == "-" && s.CanAsk:
			return "", message.Error("cli.stdin_is_terminal")
		case file == "-":
			taken = true
		default:
			in = s.Reader.Open(file)
		}
		b, err := io.ReadAll(io.LimitReader(in, recipe.MaxValue+3)) // and "\r\n", and one byte to see that there is more
		if err != nil {
			return "", err
		}
		text := strings.TrimSuffix(string(b), "\n")
		text = strings.TrimSuffix(text, "\r")
		if len(text) > recipe.MaxValue {
			return "", message.Error("cli.value_too_long", "limit", recipe.MaxValue)
		}
		return text, nil
	}
}

// askSecrets asks for the missing secrets of a recipe if a terminal can hide the input. Otherwise
// the run reports what is missing.
func (s recipeInput) askSecrets(ctx context.Context, app *app.App, r *recipes.Run) error {
	if s.JSON || !s.CanAsk || s.Hide == nil {
		return nil
	}
	kept, _, err := app.Recipes().Read(r.Ref)
	if err != nil {
		return nil // the run reports all errors
	}
	for _, p := range kept.Params {
		if _, given := r.Values[p.Name]; given || p.Type != recipe.Secret {
			continue
		}
		if p.Description != "" {
			s.Sayf("%s: %s", p.Name, p.Description)
		}
		value, ok, err := s.ReadHidden(ctx, "cli.type_secret", "name", p.Name)
		if err != nil || !ok {
			return err
		}
		if value != "" {
			r.Values[p.Name] = value
		}
	}
	return nil
}
