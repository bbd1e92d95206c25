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
	var yes bool
	c := &cobra.Command{
		Use:               "undo",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, err := s.OpenAndResolve(cmd.Context(), args[0], shell.ResolveRun, app.Options{})
			if err != nil {
				return err
			}
			d, err := app.ProposeUndo(cmd.Context(), plan.UserGoal, id)
			if err != nil {
				return err
			}
			answer := drafts.Answer{Yes: yes, Confirm: d.Confirm}
			if !yes && s.CanAsk && !s.JSON {
				if answer, err = s.AskAgain(cmd.Context(), d); err != nil {
					return err
				}
				if !answer.Yes {
					return s.Refuse(cmd.Context(), app, d, "cli.undo_refused")
				}
			}
			if !answer.Yes {
				s.Code = print.NeedsApproval
				s.ShowDraft(d)
				return nil
			}
			p := print.RunPrinter{Console: s.Console}
			r := runs.ApproveRequest{ID: d.DraftID, Confirm: answer.Confirm, Confirmed: answer.Confirmed, Revision: d.Revision}
			if !s.JSON {
				r.Progress = p.Progress
			}
			report, err := app.Approve(cmd.Context(), r)
			if err != nil {
				return err
			}
			p.Finish(report)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().BoolVar(&yes, "yes", false, "")
	return c
}
