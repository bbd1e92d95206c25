package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/planner/message"
	"errand/planner/plan"
)

func init() {
	addCommand("undo", func(s *shell) *cobra.Command { return recordCommands{s}.undoCommand() })
}

func (s recordCommands) undoCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:               "undo",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
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
					return s.refused(cmd.Context(), app, d, "cli.undo_refused")
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
	c.Flags().BoolVar(&yes, "yes", false, "")
	return c
}

// refused ends a draft to which its person said no, and says code of it.
func (s *shell) refused(ctx context.Context, app *app.App, d drafts.View, code string) error {
	d, err := app.Reject(ctx, d.DraftID)
	if err != nil {
		return err
	}
	s.Code = print.Denied
	s.Sayf("errand: %s", message.New(code, "draft", d.DraftID))
	return nil
}
