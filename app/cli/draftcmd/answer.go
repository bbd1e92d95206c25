package draftcmd

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/app/drafts"
	"errand/app/runs/dialog"
	"errand/policy/approval"
)

func (s commands) answerCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use:               "answer",
		Args:              print.AtLeastOne("cli.want_draft_or_run", "cli.see_drafts"),
		ValidArgsFunction: s.CompleteDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			answers := map[string]string{}
			for _, pair := range args[1:] {
				key, value, ok := cutAnswer(pair)
				if !ok || key == "" {
					return print.BadUsage("cli.not_an_answer", "text", pair).Hint("cli.see_questions", "draft", args[0])
				}
				answers[key] = value
			}
			if len(answers) == 0 && (!s.CanAsk || s.JSON) {
				return print.BadUsage("cli.no_answer_given").Hint("cli.see_questions", "draft", args[0])
			}
			app, id, err := s.OpenFor(cmd.Context(), args[0], shell.ResolveDraftOrRun, app.Options{})
			if err != nil {
				return err
			}
			if d, err := app.ShowDraft(cmd.Context(), id); err == nil {
				for _, q := range d.Questions {
					if said, given := answers[q.ID]; given {
						answers[q.ID], _ = s.ChoiceOf(q, said)
					}
				}
				if len(args) == 1 {
					if answers, err = s.askAll(cmd.Context(), d); err != nil || len(answers) == 0 {
						return err
					}
				}
			}
			d, err := app.Answer(cmd.Context(), id, answers, print.Permit(s.Console, app))
			print.NotePermitted(cmd.Context(), s.Console, app)
			if err == nil && d.State == approval.StateCancelled && strings.HasPrefix(d.Reason.Code, "reason.") { // it can't be done; a rejected one did not fail
				s.Code = print.Failed
			}
			return s.ShowDraft(d, err)
		},
	})
}

// cutAnswer splits an answer into the id of its question and the value. The id of a question about
// a folder may contain "=".
func cutAnswer(pair string) (id, value string, ok bool) {
	if i := strings.LastIndexByte(pair, '='); i >= 0 && strings.HasPrefix(pair, drafts.FolderQuestion) {
		return pair[:i], pair[i+1:], true
	}
	return strings.Cut(pair, "=")
}

// askAll asks the open questions of a draft, and returns the answers that the user gave. Without
// one it shows the draft, which stays as it is.
func (s commands) askAll(ctx context.Context, d drafts.View) (map[string]string, error) {
	s.SpeakOf(d.Language)
	answers := map[string]string{}
	for _, q := range d.Questions {
		value, err := s.AskQuestion(ctx, q)
		if errors.Is(err, dialog.ErrNoAnswer) || errors.Is(err, dialog.ErrDeclined) {
			break
		}
		if err != nil {
			return nil, err
		}
		answers[q.ID] = value
	}
	if len(answers) == 0 {
		s.Code = print.NeedsApproval
		return nil, s.ShowDraft(d, nil)
	}
	return answers, nil
}
