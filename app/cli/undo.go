package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/core"
)

func (s *shell) undoCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "undo ID",
		Short: "Propose to take back what a run did",
		Long: `Undo makes a draft of the opposite of what a run did, the last step first, and
waits for your approval. It never takes back more than is still as the run left
it: a folder that was made is deleted only while it is empty.`,
		Args:              print.OneArg("the id of a run", "errand runs lists them"),
		ValidArgsFunction: s.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			id, err := resolveRun(cmd.Context(), app, args[0])
			if err != nil {
				return err
			}
			d, err := app.Undo(cmd.Context(), id)
			if err != nil {
				return err
			}
			answer := core.Answer{Yes: yes, Confirm: d.Confirm}
			if !yes && s.CanAsk && !s.JSON {
				if answer, err = s.AskAgain(cmd.Context(), d); err != nil {
					return err
				}
				if !answer.Yes {
					return s.refused(cmd.Context(), app, d, "nothing was taken back")
				}
			}
			if !answer.Yes {
				s.Code = print.NeedsApproval
				s.ShowDraft(d)
				return nil
			}
			p := print.RunPrinter{Console: s.Console}
			r := core.ApproveRequest{ID: d.DraftID, Confirm: answer.Confirm, Revision: d.Revision}
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
	c.Flags().BoolVar(&yes, "yes", false, "approve it at once")
	return c
}

// refused ends a draft to which its person said no.
func (s *shell) refused(ctx context.Context, app *core.App, d core.DraftView, so string) error {
	d, err := app.Reject(ctx, d.DraftID)
	if err != nil {
		return err
	}
	s.Code = print.Denied
	s.Say("errand: draft %s is cancelled, and %s", d.DraftID, so)
	return nil
}
