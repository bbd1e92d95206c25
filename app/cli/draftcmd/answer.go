package draftcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
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
				key, value, ok := strings.Cut(pair, "=")
				if !ok || key == "" {
					return print.BadUsage("cli.not_an_answer", "text", pair).Hint("cli.see_questions", "draft", args[0])
				}
				answers[key] = value
			}
			if len(answers) == 0 {
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
			}
			d, err := app.Answer(cmd.Context(), id, answers, app.Grants().AllowHost)
			if err == nil && d.State == approval.StateCancelled && strings.HasPrefix(d.Reason.Code, "reason.") { // it can't be done; a rejected one did not fail
				s.Code = print.Failed
			}
			return s.ShowDraft(d, err)
		},
	})
}
