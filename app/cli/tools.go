package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/i18n"
)

func init() { addCommand("tools", (*commands).toolsCommand) }

func (s *commands) toolsCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:  "tools",
		Args: cobra.ArbitraryArgs,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			specs, err := app.Tools(ctx)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if specs, err = print.SelectTools(specs, app.OffTools(), args); err != nil {
					return err
				}
			}
			if s.JSON {
				s.Document(map[string]any{"tools": specs})
				return nil
			}
			rows := [][]string{s.Row("cli.column_tool", "cli.column_class", "cli.column_effect", "cli.column_from", "cli.column_description")}
			for _, spec := range specs {
				what := spec.Description // for planners, in English
				if s.SpokenLanguage() != i18n.English() && !spec.Display.Title.IsZero() {
					what = s.TextOf(spec.Display.Title)
				}
				rows = append(rows, []string{spec.Name, string(spec.SideEffectClass), string(spec.Effect), spec.Source, what})
			}
			s.Columns(rows)
			for _, spec := range specs {
				if len(args) == 0 {
					break
				}
				arguments, err := print.Arguments(spec)
				if err != nil {
					return err
				}
				if len(arguments) > 0 {
					s.Printf("")
					s.Columns(append([][]string{s.Row("cli.column_argument", "cli.column_type", "cli.column_description")}, arguments...))
				}
			}
			return nil
		}),
	})
}
