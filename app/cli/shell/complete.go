package shell

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/host/trace"
	"errand/planner/message"
)

// maxOffered is the maximum number of ids that a completion offers.
const maxOffered = 20

// CompleteRuns completes the newest runs, with their goals.
func (s *Shell) CompleteRuns(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.Open(app.Options{})
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	runs, err := app.ListRuns(cmd.Context(), maxOffered)
	out := []cobra.Completion{}
	for _, r := range runs {
		out = Offer(out, r.RunID, s.Text("cli.status", "status", r.Status)+": "+print.Shorten(s.GoalOf(r.Goal), 60))
	}
	return offerLast(out, s.Text("cli.newest_run"), err)
}

// CompleteDrafts completes the drafts that need approval.
func (s *Shell) CompleteDrafts(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.Open(app.Options{})
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	drafts, err := app.ListDrafts(cmd.Context(), false)
	out := []cobra.Completion{}
	for _, d := range drafts {
		out = Offer(out, d.DraftID, s.TextOf(print.StateOf(d))+": "+print.Shorten(s.GoalOf(d.Goal), 60))
	}
	return offerLast(out, s.Text("cli.newest_draft"), err)
}

// CompleteRecipes completes the user's recipes, and files.
func (s *Shell) CompleteRecipes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.Open(app.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	recipes, _ := app.Recipes().List() // without them there are files to offer
	out := []cobra.Completion{}
	for _, r := range recipes {
		out = Offer(out, r.Name, print.Shorten(r.Description, 60))
	}
	return out, cobra.ShellCompDirectiveDefault
}

// Offer adds a completion with its description. Both come from data and go to the terminal. It
// omits a word with hidden characters, because the shell would type something else than it shows.
func Offer(list []cobra.Completion, word, about string) []cobra.Completion {
	if strings.ContainsFunc(word, message.IsHidden) || !utf8.ValidString(word) {
		return list
	}
	if about == "" {
		return append(list, word)
	}
	return append(list, cobra.CompletionWithDesc(word, trace.EscapeText(about)))
}

// offerLast puts last before other ids, if there are any.
func offerLast(ids []cobra.Completion, what string, err error) ([]cobra.Completion, cobra.ShellCompDirective) {
	if err == nil && len(ids) > 0 {
		ids = slices.Insert(ids, 0, cobra.CompletionWithDesc(lastAlias, what))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
