package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/i18n"
	"errand/host/tool"
	"errand/planner/message"
)

func (s *shell) toolsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:  "tools",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			specs, err := app.Tools(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if specs, err = selectTools(specs, args); err != nil {
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
		},
	}
	s.AddJSONFlag(c)
	return c
}

// selectTools returns the tools with these names.
func selectTools(specs []tool.Spec, names []string) ([]tool.Spec, error) {
	var selected []tool.Spec
	for _, name := range names {
		i := slices.IndexFunc(specs, func(spec tool.Spec) bool { return spec.Name == name })
		if i < 0 {
			return nil, tool.NewError(tool.ValidationError, "unknown_tool", message.New("cli.unknown_tool", "tool", name)).
				WithHint(message.New("cli.unknown_tool_hint"))
		}
		selected = append(selected, specs[i])
	}
	return selected, nil
}
