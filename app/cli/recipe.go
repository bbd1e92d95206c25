package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/planner/message"
)

// recipeCommands has the commands below `errand recipe`.
type recipeCommands struct{ *commands }

func init() {
	addCommand("recipe", func(s *commands) *cobra.Command { return recipeCommands{s}.recipeCommand() })
}

func (s recipeCommands) recipeCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "recipe",
	}
	c.AddCommand(s.recipeListCommand(), s.recipeShowCommand(), s.recipeCheckCommand(), s.recipeSaveCommand())
	return c
}

func (s recipeCommands) recipeListCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "list",
		Args: print.NoArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			all, err := app.Recipes().List()
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"recipes": all}, func() {
				var rows [][]string
				for _, r := range all {
					if !r.Error.IsZero() {
						first, _, _ := strings.Cut(s.Lines(r.Error), "\n")
						rows = append(rows, []string{r.Name, s.Text("cli.recipe_broken"), first})
						continue
					}
					rows = append(rows, []string{r.Name, s.Text("cli.steps", "count", r.Steps), print.Shorten(r.Description, 80)})
				}
				if len(rows) == 0 {
					s.Note("cli.no_recipe_in", "folder", app.Recipes().Dir())
				}
				s.Columns(rows)
			})
		}),
	})
}

func (s recipeCommands) recipeShowCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "show",
		Args:              print.OneArg("cli.want_recipe", "cli.see_recipes"),
		ValidArgsFunction: s.CompleteRecipes,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, ref, err := s.OpenAndResolve(cmd.Context(), args[0], shell.ResolveRecipe, app.Options{})
			if err != nil {
				return err
			}
			r, own, err := app.Recipes().Read(ref)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"recipe": r, "own": own}, func() {
				if !own {
					s.Printf("%s", print.PaintMessage(print.Yellow, "cli.recipe_not_yours", "recipe", args[0]))
				}
				s.PrintRecipe(r)
			})
		},
	})
}

func (s recipeCommands) recipeCheckCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "check",
		Args:              print.AtLeastOne("cli.want_recipe", "cli.see_recipes"),
		ValidArgsFunction: s.CompleteRecipes,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			type checked struct {
				Recipe   string            `json:"recipe"`
				OK       bool              `json:"ok"`
				Problems []message.Message `json:"faults"`
			}
			all := make([]checked, len(args))
			for i, ref := range args {
				all[i] = checked{ref, true, []message.Message{}}
				file, err := shell.ResolveRecipe(ctx, app, ref)
				if err == nil {
					_, err = app.Recipes().Check(ctx, file)
				}
				if err != nil {
					all[i].OK, all[i].Problems = false, linesOf(message.FromError(err))
					s.Code = print.Failed
				}
			}
			return s.Show(map[string]any{"checks": all}, func() {
				for _, c := range all {
					if c.OK {
						s.Print("cli.recipe_ok", "recipe", c.Recipe)
					}
					for _, f := range c.Problems {
						s.Printf("%s", f)
					}
				}
			})
		}),
	})
}

// linesOf splits a message into its lines.
func linesOf(m message.Message) []message.Message {
	list, ok := m.Params["lines"].([]any)
	if m.Code != "message.lines" || !ok {
		return []message.Message{m}
	}
	var lines []message.Message
	for _, v := range list {
		if line, ok := v.(message.Message); ok {
			lines = append(lines, linesOf(line)...)
		}
	}
	return lines
}

func (s recipeCommands) recipeSaveCommand() *cobra.Command {
	var force bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "save",
		ValidArgsFunction: s.CompleteRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return print.BadUsage("cli.give_run_and_name").Hint("cli.see_runs")
			}
			app, id, err := s.OpenAndResolve(cmd.Context(), args[0], shell.ResolveRun, app.Options{})
			if err != nil {
				return err
			}
			r, file, err := app.Recipes().Save(cmd.Context(), id, args[1], force, s.TextOf)
			if err != nil {
				return err
			}
			return s.Show(map[string]any{"recipe": r, "file": file}, func() {
				s.PrintRecipe(r)
				s.Note("cli.recipe_kept", "file", file)
			})
		},
	})
	c.Flags().BoolVar(&force, "force", false, "")
	return c
}
