package cli

import (
	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) resumeCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "resume ID",
		Short: "Go on with a run that was interrupted or failed",
		Long: `Resume goes on where a run stopped. What was done is not done again; what nobody
saw the end of is looked up where its tool can, and asked about where it can't.`,
		Args: oneArg("the id of a run", "errand runs lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			p := printer{shell: s}
			r := core.ResumeRequest{ID: args[0], Yes: yes}
			if !s.json {
				r.Progress = p.progress
				if s.CanAsk {
					r.Approve = s.askApproval
				}
			}
			report, err := app.Resume(cmd.Context(), r)
			if err != nil {
				return err
			}
			s.finished(p, report, false)
			return nil
		},
	}
	s.jsonFlag(c)
	c.Flags().BoolVar(&yes, "yes", false, "approve what would otherwise wait for approval")
	return c
}

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
				if answer, err = s.askApproval(cmd.Context(), d); err != nil {
					return err
				}
			}
			if !answer.Yes {
				s.code = NeedsApproval
				s.showDraft(d)
				return nil
			}
			p := printer{shell: s}
			r := core.ApproveRequest{ID: d.DraftID, Confirm: answer.Confirm}
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
