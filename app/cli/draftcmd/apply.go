package draftcmd

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
	"errand/app/runs"
)

func (s commands) applyCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "apply",
		Args:              print.OneArg("cli.want_draft", "cli.see_drafts"),
		ValidArgsFunction: s.CompleteDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, d, err := s.openDraft(cmd.Context(), args[0])
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

// openDraft opens the program and finds the draft that the user named.
func (s commands) openDraft(ctx context.Context, name string) (*app.App, string, drafts.View, error) {
	app, id, err := s.OpenFor(ctx, name, shell.ResolveDraft, app.Options{})
	if err != nil {
		return nil, "", drafts.View{}, err
	}
	d, err := app.ShowDraft(ctx, id)
	return app, id, d, err
}
