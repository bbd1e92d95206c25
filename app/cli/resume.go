package cli

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/trace"
)

func init() { addCommand("resume", (*commands).resumeCommand) }

func (s *commands) resumeCommand() *cobra.Command {
	var yes, show bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "resume",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, id, err := s.OpenFor(cmd.Context(), args[0], shell.ResolveRun, app.Options{Show: show})
			if err != nil {
				return err
			}
			r := runs.ResumeRequest{ID: id, Yes: yes}
			if left, err := s.confirmLastRun(cmd.Context(), app, args[0], &r); err != nil || left {
				return err
			}
			var asked drafts.View // what the user rejected
			var unanswered error
			p := print.RunPrinter{Console: s.Console}
			if !s.JSON {
				r.Progress = p.Progress
				if s.CanAsk {
					r.Approve = func(ctx context.Context, d drafts.View) (answer drafts.Answer, err error) {
						if answer, err = s.AskAgain(ctx, d); err == nil && !answer.Yes {
							asked = d
						}
						unanswered = err
						return answer, err
					}
				}
			}
			report, err := s.ResolveUnknown(cmd.Context(), app, func(*drafts.View) (runs.Report, error) {
				return app.Resume(cmd.Context(), r)
			})
			if err != nil {
				return err
			}
			if report.Status == trace.NeedsApproval { // an earlier draft, which a resumption does not approve
				switch {
				case unanswered != nil:
					return unanswered
				case asked.DraftID != "":
					return s.Refuse(cmd.Context(), app, asked, "cli.draft_refused")
				}
			}
			p.Finish(report)
			return s.stayOpen(cmd.Context(), app, show, report)
		},
	})
	c.Flags().BoolVar(&show, "show", false, "")
	c.Flags().BoolVar(&yes, "yes", false, "")
	return c
}

// confirmLastRun asks before a resumption of the run that `last` stands for applies a draft
// that this terminal has not shown, and takes --yes back if it has not shown what that would
// approve. left: the user said no, and the draft still waits.
func (s *commands) confirmLastRun(ctx context.Context, app *app.App, arg string, r *runs.ResumeRequest) (left bool, err error) {
	rec, err := app.Record(ctx, r.ID)
	if err != nil {
		return false, err
	}
	shown, command := r.ID, "errand resume "+r.ID
	if r.Yes {
		command += " --yes"
	}
	var d drafts.View
	if rec.DraftID != "" {
		if d, err = app.ShowDraft(ctx, rec.DraftID); err == nil && !d.State.Final() {
			shown = d.DraftID
		}
	}
	ready := d.IsReady()
	if ready && s.SeenRevision(d) != d.Revision { // and approved since
		shown = ""
	}
	if !r.Yes && !ready {
		return false, nil
	}
	ask, err := s.ConfirmLast(arg, r.ID, command, shown)
	if err != nil || !ask {
		return false, err
	}
	r.Yes = false
	if !ready {
		return false, nil
	}
	yes, err := print.AskToApply(ctx, s.Console, d)
	if err != nil || !yes {
		return true, s.LeaveDraft(d, err)
	}
	r.Revision = d.Revision
	return false, nil
}
