// Package draftcmd has the commands for drafts.
package draftcmd

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
)

// commands has the commands of one invocation.
type commands struct{ *shell.Shell }

// Commands returns the commands that show, change, approve and reject drafts.
func Commands(sh *shell.Shell) []*cobra.Command {
	s := commands{sh}
	return []*cobra.Command{s.draftsCommand(), s.approveCommand(), s.applyCommand(), s.rejectCommand(), s.editCommand(), s.answerCommand()}
}

func (s commands) draftsCommand() *cobra.Command {
	var all bool
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "drafts",
		Args:              print.AtMostOne,
		ValidArgsFunction: s.CompleteDrafts,
		RunE: s.WithApp(func(ctx context.Context, app *app.App, args []string) error {
			if len(args) == 1 {
				id, err := shell.ResolveDraft(ctx, app, args[0])
				if err != nil {
					return err
				}
				return s.ShowDraft(app.ShowDraft(ctx, id))
			}
			drafts, err := app.ListDrafts(ctx, all)
			if err != nil {
				return err
			}
			slices.SortStableFunc(drafts, waitingFirst)
			if s.JSON {
				spoken := make([]any, len(drafts))
				for i, d := range drafts {
					spoken[i] = print.InLanguage(d.Language, d)
				}
				s.Document(map[string]any{"drafts": spoken})
				return nil
			}
			if len(drafts) == 0 {
				s.Note("cli.no_drafts")
			}
			var table [][]string
			for _, d := range drafts {
				what := s.Text("cli.steps", "count", len(d.Actions))
				if len(d.Questions) > 0 {
					what = s.Text("cli.questions", "count", len(d.Questions))
				}
				table = append(table, []string{d.DraftID, s.TextOf(print.StateOf(d)), s.TextOf(print.TimeLeft(d)), what, print.Shorten(s.GoalOf(d.Goal), 60)})
			}
			s.Columns(table)
			return nil
		}),
	})
	c.Flags().BoolVar(&all, "all", false, "")
	return c
}

// waitingFirst sorts drafts that need the user's approval before ended ones.
func waitingFirst(a, b drafts.View) int {
	rank := map[bool]int{true: 1}
	return rank[a.State.Final()] - rank[b.State.Final()]
}

func (s commands) rejectCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "reject",
		Args:              print.AtLeastOne("cli.want_draft", "cli.see_drafts"),
		ValidArgsFunction: s.CompleteDrafts,
		RunE: s.WithID(shell.ResolveDraft, func(ctx context.Context, app *app.App, id string, rest []string) error {
			return s.ShowDraft(app.Reject(ctx, id, rest...))
		}),
	})
}
