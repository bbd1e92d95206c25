package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/planner/plan"
)

func (s recordCommands) undoCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "undo ID",
		Short: "Undo a run",
		Long: `Undo makes a draft that reverses a run, last step first, and asks for your approval.
It undoes only what has not changed since the run: for example, it deletes a folder
that the run created only if the folder is still empty.`,
		Args:              print.OneArg("the id of a run", "errand runs lists them"),
		ValidArgsFunction: s.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			id, err := resolveRun(cmd.Context(), app, args[0])
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
					return s.refused(cmd.Context(), app, d, "nothing was undone")
				}
			}
			if !answer.Yes {
				s.Code = print.NeedsApproval
				s.ShowDraft(d)
				return nil
			}
			p := print.RunPrinter{Console: s.Console}
			r := runs.ApproveRequest{ID: d.DraftID, Confirm: answer.Confirm, Revision: d.Revision}
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
	c.Flags().BoolVar(&yes, "yes", false, "approve the draft without asking")
	return c
}

// refused ends a draft to which its person said no.
func (s *shell) refused(ctx context.Context, app *app.App, d drafts.View, so string) error {
	d, err := app.Reject(ctx, d.DraftID)
	if err != nil {
		return err
	}
	s.Code = print.Denied
	s.Say("errand: draft %s is cancelled, and %s", d.DraftID, so)
	return nil
}
