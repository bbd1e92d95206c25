package draftcmd

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
	"errand/policy/approval"
)

func (s commands) approveCommand() *cobra.Command {
	var confirm int
	var seen, callback string
	var noApply bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "approve",
		Args:              print.AtLeastOne("cli.want_draft", "cli.see_drafts"),
		ValidArgsFunction: s.CompleteDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, d, err := s.openDraft(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			r := runs.ApproveRequest{ID: id, Actions: args[1:], Confirm: confirm, Confirmed: args[1:], Revision: seen, ApplyLater: noApply, Callback: callback}
			if seen == "" { // else it is exact
				r.Revision = s.SeenRevision(d)
				ask, err := s.ConfirmLast(args[0], id, d.ApproveCommand(args[1:]...), id)
				if err != nil {
					return err
				}
				if ask && len(d.Questions) == 0 { // else it can't be approved, and the refusal says what to answer
					answer, err := s.AskAgain(cmd.Context(), d, r.Actions...)
					if err != nil || !answer.Yes {
						return s.LeaveDraft(d, err)
					}
					r.Confirm, r.Confirmed, r.Revision = answer.Confirm, answer.Confirmed, d.Revision
				}
			}
			s.noteApplied(d)
			p := s.printer()
			r.Progress = s.progress(p)
			report, err := s.approve(cmd.Context(), app, r)
			if err != nil {
				return err
			}
			return s.finish(cmd.Context(), app, p, report, r)
		},
	})
	c.Flags().IntVar(&confirm, "confirm", 0, "")
	c.Flags().StringVar(&seen, "seen", "", "")
	c.Flags().StringVar(&callback, "callback", "", "")
	c.Flags().BoolVar(&noApply, "no-apply", false, "")
	return c
}

// approve approves a draft, and asks at a terminal about steps of unknown outcome.
func (s commands) approve(ctx context.Context, app *app.App, r runs.ApproveRequest) (runs.Report, error) {
	return s.ResolveUnknown(ctx, app, func(left *drafts.View) (runs.Report, error) {
		again := r // finished actions can't be approved again
		rest := slices.DeleteFunc(slices.Clone(r.Actions), func(id string) bool { return left != nil && isDone(*left, id) })
		if len(rest) > 0 { // none would mean all
			again.Actions = rest
		}
		return app.Approve(ctx, again)
	})
}

// finish prints how a draft was approved or applied. If it changed, or its count has to
// be confirmed, it asks again at a terminal and approves what it has shown.
func (s commands) finish(ctx context.Context, app *app.App, p *print.RunPrinter, report runs.Report, r runs.ApproveRequest) error {
	if report.Draft != nil && report.Error != nil && asksAgain(report.Error) && s.CanAsk && !s.JSON {
		if report.Error.Code == drafts.CodeDrift {
			s.Sayf("errand: %s", report.Error.Message)
		}
		answer, err := s.AskAgain(ctx, *report.Draft, r.Actions...)
		if err != nil {
			return err
		}
		if !answer.Yes {
			return s.LeaveDraft(*report.Draft, nil)
		}
		r.Confirm, r.Confirmed, r.Revision = answer.Confirm, answer.Confirmed, report.Draft.Revision
		if report, err = s.approve(ctx, app, r); err != nil {
			return err
		}
	}
	if report.Error != nil && report.Error.Code == drafts.CodeOpenQuestions && !s.JSON { // the draft shows only the question
		s.Sayf("errand: %s", report.Error.Message)
	}
	if r.ApplyLater && report.Draft != nil && report.Error == nil {
		return s.ShowDraft(*report.Draft, nil)
	}
	p.Finish(report)
	return nil
}

// noteApplied says that a draft was applied before, so that what follows is its result.
func (s commands) noteApplied(d drafts.View) {
	if d.State == approval.StateApplied {
		s.Note("cli.draft_already_ran", "draft", d.DraftID)
	}
}

func (s commands) printer() *print.RunPrinter { return &print.RunPrinter{Console: s.Console} }

// progress prints what happens while a draft is applied, unless the output is JSON.
func (s commands) progress(p *print.RunPrinter) func(runs.Progress) {
	if s.JSON {
		return nil
	}
	return p.Progress
}

func isDone(d drafts.View, action string) bool {
	return slices.ContainsFunc(d.Actions, func(a drafts.Action) bool { return a.ActionID == action && a.Status == drafts.ActionDone })
}

func asksAgain(e *tool.Error) bool {
	return e.Code == drafts.CodeConfirm || e.Code == drafts.CodeUnconfirmed || e.Code == drafts.CodeDrift
}
