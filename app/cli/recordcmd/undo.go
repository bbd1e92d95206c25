package recordcmd

import (
	"context"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/planner/plan"
)

func (s commands) undoCommand() *cobra.Command {
	var approved bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "undo",
		Args:              print.OneArg("cli.want_run", "cli.see_runs"),
		ValidArgsFunction: s.CompleteRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			app, id, err := s.OpenAndResolve(ctx, args[0], shell.ResolveUndoable, app.Options{})
			if err != nil {
				return err
			}
			isEarlier, err := s.noteEarlierRun(ctx, app, args[0], id)
			if err != nil {
				return err
			}
			if approved {
				shown := id
				if isEarlier { // of which the user may not think
					shown = ""
				}
				ask, err := s.ConfirmLast(args[0], id, "errand undo "+id+" --yes", shown)
				if err != nil {
					return err
				}
				approved = !ask
			}
			d, err := app.ProposeUndo(ctx, plan.UserGoal, id)
			if err != nil {
				return err
			}
			answer := drafts.Answer{Yes: approved, Confirm: d.Confirm}
			if !approved && s.CanAsk && !s.JSON {
				if answer, err = s.AskAgain(ctx, d); err != nil {
					return err
				}
				if !answer.Yes {
					return s.Refuse(ctx, app, d, "cli.undo_refused")
				}
			}
			if !answer.Yes {
				s.Code = print.NeedsApproval
				return s.ShowDraft(d, nil)
			}
			p := print.RunPrinter{Console: s.Console}
			r := runs.ApproveRequest{ID: d.DraftID, Confirm: answer.Confirm, Confirmed: answer.Confirmed, Revision: d.Revision}
			if !s.JSON {
				r.Progress = p.Progress
			}
			report, err := app.Approve(ctx, r)
			if err != nil {
				return err
			}
			p.Finish(report)
			return nil
		},
	})
	c.Flags().BoolVar(&approved, "yes", false, "")
	return c
}

// noteEarlierRun says which run `last` stands for, if that is not the newest one: the newest
// changed nothing, or waits as a draft. It reports whether it said so.
func (s commands) noteEarlierRun(ctx context.Context, app *app.App, arg, id string) (bool, error) {
	newest, err := app.LastRun(ctx)
	if err != nil || arg == id || newest == id {
		return false, err
	}
	now, err := app.Excerpt(ctx, newest, 1)
	if err != nil {
		return false, err
	}
	pairs := []any{"note", print.PaintMessage(print.Yellow, "cli.note"), "newest", s.GoalOf(now.Goal)}
	code := "cli.undo_earlier"
	if d, err := app.ShowDraft(ctx, now.DraftID); err == nil && !d.State.Final() {
		if d.Undoes == id {
			return false, nil
		}
		code, pairs = "cli.undo_earlier_draft", append(pairs, "draft", d.DraftID)
	}
	rec, err := app.Excerpt(ctx, id, 1)
	if err != nil {
		return false, err
	}
	s.Say(code, append(pairs, "goal", s.GoalOf(rec.Goal))...)
	return true, nil
}
