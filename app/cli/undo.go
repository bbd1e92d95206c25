package cli

import (
	"context"

	"github.com/spf13/cobra"

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
		Args: oneArg("the id of a run", "errand runs lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			d, err := app.Undo(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			answer := core.Answer{Yes: yes, Confirm: d.Confirm}
			if !yes && s.CanAsk && !s.json {
				if answer, err = s.askAnew(cmd.Context(), d); err != nil {
					return err
				}
				if !answer.Yes {
					return s.refused(cmd.Context(), app, d, "nothing was taken back")
				}
			}
			if !answer.Yes {
				s.code = NeedsApproval
				s.showDraft(d)
				return nil
			}
			p := printer{shell: s}
			r := core.ApproveRequest{ID: d.DraftID, Confirm: answer.Confirm, Revision: d.Revision}
			if !s.json {
				r.Progress = p.progress
			}
			report, err := app.Approve(cmd.Context(), r)
			if err != nil {
				return err
			}
			s.finished(p, report, false)
			return nil
		},
	}
	s.jsonFlag(c)
	c.Flags().BoolVar(&yes, "yes", false, "approve it at once")
	return c
}

// refused ends a draft to which its person said no.
func (s *shell) refused(ctx context.Context, app *core.App, d core.DraftView, so string) error {
	d, err := app.Reject(ctx, d.DraftID)
	if err != nil {
		return err
	}
	s.code = Denied
	s.say("errand: draft %s is cancelled, and %s", d.DraftID, so)
	return nil
}
