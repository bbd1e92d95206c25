package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
)

func (s *shell) completeCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "complete PREFIX",
		Short: "Complete a goal that is half typed",
		Long: `Complete lists goals that begin with PREFIX, best first, one per line. Errand
understands each of them. Names in them are examples. Shell completion of run, plan
and interpret uses the same list.`,
		Example: `  errand complete "search cats on y"
  errand complete "открой "`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return print.Usagef("--limit must be 1 or more")
			}
			app, err := s.open(app.Options{})
			if err != nil {
				return err
			}
			goals := app.Complete(words(args), s.language(), limit)
			if s.JSON {
				s.Document(map[string]any{"prefix": words(args), "goals": append([]string{}, goals...)})
				return nil
			}
			for _, g := range goals {
				s.Print("%s", g)
			}
			if len(goals) == 0 {
				s.Note("no goal begins like this")
			}
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().IntVar(&limit, "limit", 10, "list at most `N` goals")
	return c
}

// language is the person's own, as the environment says it ("ru_RU.UTF-8").
func (s *shell) language() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		for _, pair := range s.env {
			if value, ok := strings.CutPrefix(pair, name+"="); ok && value != "" {
				return strings.ToLower(value[:min(2, len(value))])
			}
		}
	}
	return ""
}

// maxShell is how many goals the shell is offered at once.
const maxShell = 30

// completeGoal is the shell's completion of a goal. A quoted goal is one word to
// the shell and is completed whole; else the next word is.
func (s *shell) completeGoal(_ *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.open(app.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	prefix := words(append(slices.Clone(args), toComplete))
	typed := len(prefix) - len(toComplete)
	whole := len(args) == 0 && strings.ContainsAny(toComplete, " ")
	var out []cobra.Completion
	seen := map[string]bool{}
	for _, goal := range app.Complete(prefix, s.language(), maxShell) {
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
		if whole {
			out = append(out, next)
		} else {
			out = append(out, cobra.CompletionWithDesc(next, goal))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
