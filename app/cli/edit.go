package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) editCommand() *cobra.Command {
	var drop []string
	c := &cobra.Command{
		Use:   "edit ID [ACTION KEY=VALUE…]",
		Short: "Change a draft before it is approved",
		Example: `  errand edit 01k… a1 path=~/Documents/Archive
  errand edit 01k… a2 recursive=true
  errand edit 01k… --drop a3`,
		Args: atLeastOne("the id of a draft", "errand drafts lists those that wait"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := core.EditRequest{ID: args[0], Drop: drop}
			if len(args) > 1 {
				r.Action, r.Set = args[1], map[string]any{}
				for _, pair := range args[2:] {
					key, value, ok := strings.Cut(pair, "=")
					if !ok || key == "" {
						return usagef("%q is not KEY=VALUE", pair).hint("for example: path=~/Documents/Archive; KEY= removes the argument")
					}
					r.Set[key] = valueOf(value)
				}
			}
			if len(r.Set) == 0 && len(drop) == 0 {
				return usagef("nothing to change").hint("name an action with KEY=VALUE, or --drop one")
			}
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			d, err := app.Edit(cmd.Context(), r)
			if err != nil {
				return err
			}
			s.showDraft(d)
			return nil
		},
	}
	s.jsonFlag(c)
	c.Flags().StringSliceVar(&drop, "drop", nil, "leave `ACTION` out (may be repeated)")
	return c
}

// valueOf reads an argument's value: true, false, numbers, lists and objects as
// JSON, all else as text. Nothing removes the argument.
func valueOf(text string) any {
	if text == "" {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err == nil {
		return v
	}
	return text
}

func (s *shell) answerCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "answer ID QUESTION=VALUE…",
		Short: "Answer the questions of a draft, or say whether a step of a run was done",
		Example: `  errand answer 01k… platform=youtube
  errand answer 01k… a2=done        (or a2=not-done, for a step that nobody saw the end of)`,
		Args: atLeastOne("the id of a draft or run", "errand drafts lists what waits"),
		RunE: func(cmd *cobra.Command, args []string) error {
			answers := map[string]string{}
			for _, pair := range args[1:] {
				key, value, ok := strings.Cut(pair, "=")
				if !ok || key == "" {
					return usagef("%q is not QUESTION=VALUE", pair).hint("errand drafts %s shows the questions", args[0])
				}
				answers[key] = value
			}
			if len(answers) == 0 {
				return usagef("no answer is given").hint("errand drafts %s shows the questions", args[0])
			}
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			if d, err := app.Draft(cmd.Context(), args[0]); err == nil {
				for _, q := range d.Questions {
					if said, given := answers[q.ID]; given {
						answers[q.ID], _ = choice(q, said)
					}
				}
			}
			d, err := app.Answer(cmd.Context(), args[0], answers)
			if err != nil {
				return err
			}
			s.showDraft(d)
			return nil
		},
	}
	s.jsonFlag(c)
	return c
}
