package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"errand/app/core"
)

func (s *shell) draftsCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "drafts [ID]",
		Short: "List what waits for your approval, or show one draft in full",
		Args:  atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			if len(args) == 1 {
				d, err := app.Draft(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				s.showDraft(d)
				return nil
			}
			drafts, err := app.Drafts(cmd.Context(), all)
			if err != nil {
				return err
			}
			slices.SortStableFunc(drafts, waitingFirst)
			if s.json {
				s.document(map[string]any{"drafts": drafts})
				return nil
			}
			if len(drafts) == 0 {
				s.say("nothing waits for you")
			}
			var table [][]string
			for _, d := range drafts {
				what := steps(len(d.Actions))
				if len(d.Questions) > 0 {
					what = plural(len(d.Questions), "question", "questions")
				}
				table = append(table, []string{d.DraftID, stateOf(d), timeLeft(d), what, shorten(d.Goal, 60)})
			}
			s.columns(table)
			return nil
		},
	}
	s.jsonFlag(c)
	c.Flags().BoolVar(&all, "all", false, "also those that ended")
	return c
}

// waitingFirst puts what still needs a person's word before what ended.
func waitingFirst(a, b core.DraftView) int {
	rank := map[bool]int{true: 1}
	return rank[a.State.Final()] - rank[b.State.Final()]
}

// showDraft is the answer of a command whose outcome is a draft.
func (s *shell) showDraft(d core.DraftView) {
	if s.json {
		s.document(d)
		return
	}
	s.draft(s.Stdout, d)
}

func (s *shell) rejectCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reject ID [ACTION…]",
		Short: "Say no to a draft, or to some of its actions",
		Args:  atLeastOne("the id of a draft", "errand drafts lists those that wait"),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := s.open(core.Options{})
			if err != nil {
				return err
			}
			d, err := app.Reject(cmd.Context(), args[0], args[1:]...)
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

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s takes one id, not %d", cmd.CommandPath(), len(args)).hint("see %s --help", cmd.CommandPath())
	}
	return nil
}

func atLeastOne(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s needs %s", cmd.CommandPath(), what).hint("%s", hint)
		}
		return nil
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, one)
	}
	return fmt.Sprintf("%d %s", n, many)
}
