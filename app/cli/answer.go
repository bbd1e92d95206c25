package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s draftCommands) answerCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "answer ID QUESTION=VALUE…",
		Short: "Answer questions of a draft, or report whether a step was done",
		Example: `  errand answer 01k… platform=youtube
  errand answer 01k… a2=done        (or a2=not-done, for a step with an unknown outcome)`,
		Args:              print.AtLeastOne("the id of a draft or run", "errand drafts lists what waits"),
		ValidArgsFunction: s.completeDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			answers := map[string]string{}
			for _, pair := range args[1:] {
				key, value, ok := strings.Cut(pair, "=")
				if !ok || key == "" {
					return print.Usagef("%q is not QUESTION=VALUE", pair).Hint("errand drafts %s shows the questions", args[0])
				}
				answers[key] = value
			}
			if len(answers) == 0 {
				return print.Usagef("no answer is given").Hint("errand drafts %s shows the questions", args[0])
			}
			app, id, err := s.openFor(cmd.Context(), args[0], resolveDraftOrRun, app.Options{})
			if err != nil {
				return err
			}
			if d, err := app.ShowDraft(cmd.Context(), id); err == nil {
				for _, q := range d.Questions {
					if said, given := answers[q.ID]; given {
						answers[q.ID], _ = print.ChoiceOf(q, said)
					}
				}
			}
			d, err := app.Answer(cmd.Context(), id, answers)
			if err != nil {
				return err
			}
			s.ShowDraft(d)
			return nil
		},
	}
	s.AddJSONFlag(c)
	return c
}
