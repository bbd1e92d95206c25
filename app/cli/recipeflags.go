package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/recipes"
	"errand/app/recipes/recipe"
)

// recipeFlags are those by which run and plan take a recipe in place of a goal.
type recipeFlags struct {
	ref    string
	params []string
	files  []string
}

func (o *recipeFlags) add(s *shell, c *cobra.Command) {
	c.Flags().StringVar(&o.ref, "recipe", "", "run the recipe `NAME|FILE` instead of a goal")
	c.Flags().StringArrayVar(&o.params, "param", nil, "set a parameter of the recipe, `NAME=VALUE` (may be repeated)")
	c.Flags().StringArrayVar(&o.files, "param-file", nil, "read a parameter of the recipe from a file, `NAME=FILE`; - is standard input")
	if err := c.RegisterFlagCompletionFunc("recipe", s.completeRecipes); err != nil {
		panic(err) // the flag was added above
	}
}

// recipeInput reads the recipe that a command names, and its parameters.
type recipeInput struct{ *shell }

// recipeRun is what the flags ask for; nil where they name no recipe.
func (s recipeInput) recipeRun(o recipeFlags, args []string) (*recipes.Run, error) {
	switch {
	case o.ref == "" && len(o.params) > 0:
		return nil, print.Usagef("--param needs --recipe")
	case o.ref == "" && len(o.files) > 0:
		return nil, print.Usagef("--param-file needs --recipe")
	case o.ref == "":
		return nil, nil
	case len(args) > 0:
		return nil, print.Usagef("give a goal or --recipe, not both")
	}
	r := &recipes.Run{Ref: o.ref, Values: map[string]string{}}
	set := func(pair, form string, value func(string) (string, error)) error {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return print.Usagef("%q is not %s", pair, form)
		}
		if _, twice := r.Values[name]; twice {
			return print.Usagef("the parameter %s is given twice", name)
		}
		v, err := value(text)
		if err != nil {
			return print.Usagef("--param-file %s: %v", name, err)
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

// paramInput reads values of parameters from files, without the end of the last
// line. Standard input has one value.
func (s recipeInput) paramInput() func(file string) (string, error) {
	var taken bool
	return func(file string) (string, error) {
		in := s.Stdin
		switch {
		case file == "-" && taken:
			return "", errors.New("standard input is one value, and another parameter has it")
		case file == "-" && s.CanAsk:
			return "", errors.New("standard input is a terminal, which shows what is typed: leave it out, and a secret is asked for unseen")
		case file == "-":
			taken = true
		default:
			in = s.Open(file)
		}
		b, err := io.ReadAll(io.LimitReader(in, recipe.MaxValue+3)) // and "\r\n", and one byte to see that there is more
		if err != nil {
			return "", err
		}
		text := strings.TrimSuffix(string(b), "\n")
		text = strings.TrimSuffix(text, "\r")
		if len(text) > recipe.MaxValue {
			return "", fmt.Errorf("it has more than %d bytes", recipe.MaxValue)
		}
		return text, nil
	}
}

// askSecrets asks for the missing secrets of a recipe where a terminal can hide the
// input. Otherwise the run reports what is missing.
func (s recipeInput) askSecrets(ctx context.Context, app *app.App, r *recipes.Run) error {
	if s.JSON || !s.CanAsk || s.Hide == nil {
		return nil
	}
	kept, _, err := app.Recipes().Read(r.Ref)
	if err != nil {
		return nil // the run says so, with all that is wrong
	}
	for _, p := range kept.Params {
		if _, given := r.Values[p.Name]; given || p.Type != recipe.Secret {
			continue
		}
		if p.Description != "" {
			s.Say("%s: %s", p.Name, p.Description)
		}
		value, ok, err := s.ReadHidden(ctx, p.Name+" (not shown): ")
		if err != nil || !ok {
			return err
		}
		if value != "" {
			r.Values[p.Name] = value
		}
	}
	return nil
}
