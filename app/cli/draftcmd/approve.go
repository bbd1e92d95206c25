package draftcmd

import (
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
	"errand/policy/approval"
)

func (s commands) approveCommand() *cobra.Command {
	var confirm int
	var seen string
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "approve",
		Args:              print.AtLeastOne("cli.want_draft", "cli.see_drafts"),
		ValidArgsFunction: s.CompleteDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, err := s.OpenFor(cmd.Context(), args[0], shell.ResolveDraft, app.Options{})
			if err != nil {
				return err
			}
			p := print.RunPrinter{Console: s.Console}
			r := runs.ApproveRequest{ID: id, Actions: args[1:], Confirm: confirm, Confirmed: args[1:], Revision: seen}
			if !s.JSON {
				r.Progress = p.Progress
			}
			if d, err := app.ShowDraft(cmd.Context(), id); err == nil && d.State == approval.StateApplied {
				s.Note("cli.draft_already_ran", "draft", d.DraftID)
			}
			approve := func(left *drafts.View) (runs.Report, error) {
				again := r // finished actions can't be approved again
				rest := slices.DeleteFunc(slices.Clone(r.Actions), func(id string) bool { return left != nil && isDone(*left, id) })
				if len(rest) > 0 { // none would mean all
					again.Actions = rest
				}
				return app.Approve(cmd.Context(), again)
			}
			report, err := s.ResolveUnknown(cmd.Context(), app, approve)
			if err != nil {
				return err
			}
			// At a terminal, ask again if the draft changed or its count must be confirmed.
			if report.Draft != nil && report.Error != nil && asksAgain(report.Error) && s.CanAsk && !s.JSON {
				if report.Error.Code == drafts.CodeDrift {
					s.Sayf("errand: %s", report.Error.Message)
				}
				answer, err := s.AskAgain(cmd.Context(), *report.Draft)
				if err != nil {
					return err
				}
				if answer.Yes {
					r.Confirm, r.Confirmed, r.Revision = answer.Confirm, answer.Confirmed, report.Draft.Revision
					if report, err = s.ResolveUnknown(cmd.Context(), app, approve); err != nil {
						return err
					}
				}
			}
			p.Finish(report)
			return nil
		},
	})
	c.Flags().IntVar(&confirm, "confirm", 0, "")
	c.Flags().StringVar(&seen, "seen", "", "")
	return c
}

func isDone(d drafts.View, action string) bool {
	return slices.ContainsFunc(d.Actions, func(a drafts.Action) bool { return a.ActionID == action && a.Status == drafts.ActionDone })
}

func asksAgain(e *tool.Error) bool {
	return e.Code == drafts.CodeConfirm || e.Code == drafts.CodeUnconfirmed || e.Code == drafts.CodeDrift
}
