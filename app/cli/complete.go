package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/cli/shell"
)

func init() { addCommand("complete", (*commands).completeCommand) }

func (s *commands) completeCommand() *cobra.Command {
	var limit int
	c := s.AddJSONFlag(&cobra.Command{
		Use: "complete",
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return print.BadUsage("cli.limit_below_one")
			}
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			goals := app.Complete(words(args), s.SystemLanguage(), limit)
			return s.Show(map[string]any{"prefix": words(args), "goals": append([]string{}, goals...)}, func() {
				for _, g := range goals {
					s.Printf("%s", g)
				}
				if len(goals) == 0 {
					s.Note("cli.no_goal_begins_so")
				}
			})
		},
	})
	c.Flags().IntVar(&limit, "limit", 10, "")
	return c
}

// maxShell is the maximum number of goals that a completion offers.
const maxShell = 30

// completeGoal completes a goal in the shell. A quoted goal is one word to the shell and is
// completed whole; otherwise the next word is completed.
func (s *commands) completeGoal(_ *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.Open(app.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	prefix := words(append(slices.Clone(args), toComplete))
	typed := len(prefix) - len(toComplete)
	whole := len(args) == 0 && strings.ContainsAny(toComplete, " ")
	var out []cobra.Completion
	seen := map[string]bool{}
	for _, goal := range app.Complete(prefix, s.SystemLanguage(), maxShell) {
		if typed > len(goal) || !strings.HasPrefix(goal, prefix) {
			continue
		}
		next := goal[typed:]
		if !whole {
			next, _, _ = strings.Cut(next, " ")
		}
		if next == "" || seen[next] {
			continue
		}
		seen[next] = true
		about := goal
		if whole {
			about = ""
		}
		out = shell.Offer(out, next, about)
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
