package draftcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
)

func (s commands) editCommand() *cobra.Command {
	var drop []string
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "edit",
		Args:              print.AtLeastOne("cli.want_draft", "cli.see_drafts"),
		ValidArgsFunction: s.CompleteDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			r := drafts.EditRequest{ID: args[0], Drop: drop}
			said := map[string]string{}
			if len(args) > 1 {
				r.Action = args[1]
				for _, pair := range args[2:] {
					key, value, ok := strings.Cut(pair, "=")
					if !ok || key == "" {
						return print.BadUsage("cli.not_key_value", "text", pair).Hint("cli.not_key_value_hint")
					}
					said[key] = value
				}
			}
			if len(said) == 0 && len(drop) == 0 {
				return print.BadUsage("cli.nothing_to_change").Hint("cli.nothing_to_change_hint")
			}
			app, id, err := s.OpenFor(cmd.Context(), r.ID, shell.ResolveDraft, app.Options{})
			if err != nil {
				return err
			}
			r.ID = id
			if len(said) > 0 {
				params, err := paramsOf(cmd.Context(), app, r.ID, r.Action)
				if err != nil {
					return err
				}
				r.Set = map[string]any{}
				for key, value := range said {
					r.Set[key] = input.ReadValue(value, params[key], app.Config().Paths.Resolve)
				}
			}
			return s.ShowDraft(app.Edit(cmd.Context(), r))
		},
	})
	c.Flags().StringSliceVar(&drop, "drop", nil, "")
	return c
}
