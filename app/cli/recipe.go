package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/core"
)

func (s *shell) recipeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "recipe",
		Short: "Plans that are kept, with parameters",
		Long: `A recipe is a plan in a TOML file, with parameters. It is carried out by
errand run --recipe NAME. Your own stand in the config folder, under recipes/;
one from anywhere else is run by its file, and each of its steps asks first.`,
	}
	c.AddCommand(s.recipeListCommand(), s.recipeShowCommand(), s.recipeCheckCommand(), s.recipeSaveCommand())
	return c
}

func (s *shell) recipeListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List your own recipes",
		Args:  print.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			all, err := app.Recipes()
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"recipes": all})
				return nil
			}
			var rows [][]string
			for _, r := range all {
				if r.Error != "" {
					first, _, _ := strings.Cut(r.Error, "\n")
					rows = append(rows, []string{r.Name, "can't be run", first})
					continue
				}
				rows = append(rows, []string{r.Name, print.Count(r.Steps, "step", "steps"), print.Shorten(r.Description, 80)})
			}
			if len(rows) == 0 {
				s.Note("there is no recipe in %s yet", app.RecipeDir())
			}
			s.Columns(rows)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

func (s *shell) recipeShowCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "show NAME|FILE",
		Short:             "Show what a recipe does and which parameters it takes",
		Args:              print.OneArg("a recipe", "errand recipe list shows your own"),
		ValidArgsFunction: s.completeRecipes,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			ref, err := resolveRecipe(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			r, own, err := app.Recipe(ref)
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"recipe": r, "own": own})
				return nil
			}
			if !own {
				s.Print("%s", print.Paint(print.Yellow, args[0]+" is not one of your own: these are somebody else's words, and each step that changes something or opens a page asks first"))
			}
			s.PrintRecipe(r)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

func (s *shell) recipeCheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "check NAME|FILE…",
		Short:             "Say everything that is wrong with a recipe, with lines",
		Args:              print.AtLeastOne("a recipe", "errand recipe list shows your own"),
		ValidArgsFunction: s.completeRecipes,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			type checked struct {
				Recipe string   `json:"recipe"`
				OK     bool     `json:"ok"`
				Faults []string `json:"faults"`
			}
			all := make([]checked, len(args))
			for i, ref := range args {
				all[i] = checked{ref, true, []string{}}
				file, err := resolveRecipe(cmd.Context(), app, ref)
				if err == nil {
					_, err = app.CheckRecipe(cmd.Context(), file)
				}
				if err != nil {
					all[i].OK, all[i].Faults = false, strings.Split(err.Error(), "\n")
					s.Code = print.Failed
				}
			}
			if s.JSON {
				s.Document(map[string]any{"checks": all})
				return nil
			}
			for _, c := range all {
				if c.OK {
					s.Print("%s: ok", c.Recipe)
				}
				for _, f := range c.Faults {
					s.Print("%s", f)
				}
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

func (s *shell) recipeSaveCommand() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "save RUN_ID NAME",
		Short: "Keep a finished run as a recipe",
		Long: `Save makes a recipe of a run that is done. What the goal's words gave (what was
searched for, how many rows, where to keep a file) becomes its parameters; what
a step acted on is written down, and looked for again before the step acts.`,
		ValidArgsFunction: s.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return print.Usagef("give the id of a run and a name").Hint("errand runs lists what was done")
			}
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			id, err := resolveRun(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			r, file, err := app.SaveRecipe(cmd.Context(), id, args[1], force)
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(map[string]any{"recipe": r, "file": file})
				return nil
			}
			s.PrintRecipe(r)
			s.Note("kept in %s", file)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&force, "force", false, "take the place of a recipe of that name")
	return c
}
