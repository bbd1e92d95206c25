package recordcmd

import (
	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/planner/plan"
)

func (s commands) undoCommand() *cobra.Command {
	var approved bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "undo",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			app, id, err := s.OpenAndResolve(ctx, args[0], shell.ResolveUndoable, app.Options{})
			if err != nil {
				return err
			}
			if approved {
				ask, err := s.ConfirmLast(args[0], id, "errand undo "+id+" --yes", id)
				if err != nil {
					return err
				}
				approved = !ask
			}
			d, err := app.ProposeUndo(ctx, plan.UserGoal, id)
			if err != nil {
				return err
			}
			answer := drafts.Answer{Yes: approved, Confirm: d.Confirm}
			if !approved && s.CanAsk && !s.JSON {
				if answer, err = s.AskAgain(ctx, d); err != nil {
					return err
				}
				if !answer.Yes {
					return s.Refuse(ctx, app, d, "cli.undo_refused")
				}
			}
			if !answer.Yes {
				s.Code = print.NeedsApproval
				return s.ShowDraft(d, nil)
			}
			p := print.RunPrinter{Console: s.Console}
			r := runs.ApproveRequest{ID: d.DraftID, Confirm: answer.Confirm, Confirmed: answer.Confirmed, Revision: d.Revision}
			if !s.JSON {
				r.Progress = p.Progress
			}
			report, err := app.Approve(ctx, r)
			if err != nil {
				return err
			}
			p.Finish(report)
			return nil
		},
	})
	c.Flags().BoolVar(&approved, "yes", false, "")
	return c
}
