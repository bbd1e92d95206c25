package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

// recipeCommands has the commands below `errand recipe`.
type recipeCommands struct{ *shell }

func (s recipeCommands) recipeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "recipe",
		Short: "List, show, check and save recipes",
		Long: `A recipe is a plan with parameters in a TOML file. errand run --recipe NAME runs
it. Your own recipes are in the recipes folder beside errand.toml. You can run any
other recipe by its file; then each step needs your approval.`,
	}
	c.AddCommand(s.recipeListCommand(), s.recipeShowCommand(), s.recipeCheckCommand(), s.recipeSaveCommand())
	return c
}

func (s recipeCommands) recipeListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List your own recipes",
		Args:  print.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			all, err := app.Recipes().List()
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
				s.Note("there is no recipe in %s yet", app.Recipes().Dir())
			}
			s.Columns(rows)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}

func (s recipeCommands) recipeShowCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "show NAME|FILE",
		Short:             "Show the steps and parameters of a recipe",
		Args:              print.OneArg("a recipe", "errand recipe list shows your own"),
		ValidArgsFunction: s.completeRecipes,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			ref, err := resolveRecipe(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			r, own, err := app.Recipes().Read(ref)
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

func (s recipeCommands) recipeCheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "check NAME|FILE…",
		Short:             "Report every error in a recipe, with its line",
		Args:              print.AtLeastOne("a recipe", "errand recipe list shows your own"),
		ValidArgsFunction: s.completeRecipes,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
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
					_, err = app.Recipes().Check(cmd.Context(), file)
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

func (s recipeCommands) recipeSaveCommand() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "save RUN_ID NAME",
		Short: "Save a finished run as a recipe",
		Long: `Save makes a recipe from a finished run. Values from your goal, such as the search
words, the number of rows or a file name, become parameters. The recipe also stores
the page element of each step, and checks for it before the step acts.`,
		ValidArgsFunction: s.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return print.Usagef("give the id of a run and a name").Hint("errand runs lists what was done")
			}
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			id, err := resolveRun(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			r, file, err := app.Recipes().Save(cmd.Context(), id, args[1], force)
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
	c.Flags().BoolVar(&force, "force", false, "replace a recipe with that name")
	return c
}
