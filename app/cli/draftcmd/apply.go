package draftcmd

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/runs"
)

func (s commands) applyCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "apply",
		Args:              print.OneArg("cli.want_draft", "cli.see_drafts"),
		ValidArgsFunction: s.CompleteDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, err := s.OpenFor(cmd.Context(), args[0], shell.ResolveDraft, app.Options{})
			if err != nil {
				return err
			}
			d, err := app.ShowDraft(cmd.Context(), id)
			if err != nil {
				return err
			}
			s.noteApplied(d)
			p := s.printer()
			report, err := app.Apply(cmd.Context(), runs.ApplyRequest{ID: id, Progress: s.progress(p)})
			if err != nil {
				return err
			}
			return s.finish(cmd.Context(), app, p, report, runs.ApproveRequest{ID: id, Progress: s.progress(p)})
		},
	})
}
