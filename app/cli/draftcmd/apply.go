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
			r := runs.ApplyRequest{ID: id}
			shown := id
			if s.SeenRevision(d) != d.Revision { // and approved since
				shown = ""
			}
			ask, err := s.ConfirmLast(args[0], id, "errand apply "+id, shown)
			if err != nil {
				return err
			}
			if ask {
				if yes, err := print.AskToApply(cmd.Context(), s.Console, d); err != nil || !yes {
					return s.LeaveDraft(d, err)
				}
				r.Revision = d.Revision
			}
			s.noteApplied(d)
			p := s.printer()
			r.Progress = s.progress(p)
			report, err := app.Apply(cmd.Context(), r)
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
