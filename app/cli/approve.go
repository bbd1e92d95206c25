package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/core"
	"errand/host/tool"
	"errand/policy/approval"
)

func (s *shell) approveCommand() *cobra.Command {
	var confirm int
	var seen string
	c := &cobra.Command{
		Use:   "approve ID [ACTION…]",
		Short: "Approve a draft, or some of its actions, and carry it out",
		Long: `Approve says yes to exactly what the draft shows, and carries it out. What differs
by then, an argument, a plugin, the policy, is shown again and asked about again.
Of a draft that stopped half-way only what is not done yet is done.`,
		Args:              print.AtLeastOne("the id of a draft", "errand drafts lists those that wait"),
		ValidArgsFunction: s.completeDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, err := s.openFor(cmd.Context(), args[0], resolveDraft, core.Options{})
			if err != nil {
				return err
			}
			p := print.RunPrinter{Console: s.Console}
			r := core.ApproveRequest{ID: id, Actions: args[1:], Confirm: confirm, Revision: seen}
			if !s.JSON {
				r.Progress = p.Progress
			}
			if d, err := app.Draft(cmd.Context(), id); err == nil && d.State == approval.StateApplied {
				s.Note("draft %s was carried out already; this is what came of it:", d.DraftID)
			}
			carryOut := func(left *core.DraftView) (core.Report, error) {
				again := r // what was named and is done by now can't be approved again
				rest := slices.DeleteFunc(slices.Clone(r.Actions), func(id string) bool { return left != nil && isDone(*left, id) })
				if len(rest) > 0 { // none would mean all
					again.Actions = rest
				}
				return app.Approve(cmd.Context(), again)
			}
			report, err := s.seenThrough(cmd.Context(), app, carryOut)
			if err != nil {
				return err
			}
			// What is not what was shown, and what changes many things at once, is
			// asked about here and now where somebody sits.
			if report.Draft != nil && report.Error != nil && asksAgain(report.Error) && s.CanAsk && !s.JSON {
				if report.Error.Code == core.CodeDrift {
					s.Say("errand: %s", report.Error.Message)
				}
				answer, err := s.AskAgain(cmd.Context(), *report.Draft)
				if err != nil {
					return err
				}
				if answer.Yes {
					r.Confirm, r.Revision = answer.Confirm, report.Draft.Revision
					if report, err = s.seenThrough(cmd.Context(), app, carryOut); err != nil {
						return err
					}
				}
			}
			p.Finish(report)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().IntVar(&confirm, "confirm", 0, "confirm the `COUNT` of things that are changed at once")
	c.Flags().StringVar(&seen, "seen", "", "approve only what `REVISION` showed (drafts --json has it)")
	return c
}

func isDone(d core.DraftView, action string) bool {
	return slices.ContainsFunc(d.Actions, func(a core.DraftAction) bool { return a.ActionID == action && a.Status == core.ActionDone })
}

func asksAgain(e *tool.Error) bool {
	return e.Code == core.CodeConfirm || e.Code == core.CodeDrift
}
