package cli

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/recipes"
	"errand/host/tool"
	"errand/planner/message"
)

// last stands for the newest run, draft or recipe in place of its id or name.
const last = "last"

// resolver returns the id that an argument of a command stands for.
type resolver func(ctx context.Context, app *app.App, arg string) (string, error)

// resolveRun replaces last by the newest run.
func resolveRun(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != last {
		return arg, nil
	}
	runs, err := app.ListRuns(ctx, 1)
	if err != nil {
		return "", err
	}
	if len(runs) == 0 {
		return "", tool.NewError(tool.ValidationError, "run_not_found", message.New("cli.no_runs_yet")).WithHint(message.New("cli.no_runs_yet_hint"))
	}
	return runs[0].RunID, nil
}

// resolveDraft replaces last by the newest draft that waits.
func resolveDraft(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != last {
		return arg, nil
	}
	drafts, err := app.ListDrafts(ctx, false)
	if err != nil {
		return "", err
	}
	if len(drafts) == 0 {
		return "", tool.NewError(tool.ValidationError, "draft_not_found", message.New("cli.no_waiting_drafts")).WithHint(message.New("cli.no_waiting_drafts_hint"))
	}
	return drafts[0].DraftID, nil
}

// resolveDraftOrRun replaces last by the newest draft that waits, or else by the
// newest run.
func resolveDraftOrRun(ctx context.Context, app *app.App, arg string) (string, error) {
	if id, err := resolveDraft(ctx, app, arg); err == nil {
		return id, nil
	}
	return resolveRun(ctx, app, arg)
}

// resolveRecipe replaces last by the recipe whose file changed last. A recipe of
// that name goes first.
func resolveRecipe(_ context.Context, app *app.App, arg string) (string, error) {
	if arg != last {
		return arg, nil
	}
	all, err := app.Recipes().List()
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", tool.NewError(tool.ValidationError, recipes.CodeNotFound, message.New("cli.no_recipes_yet")).WithHint(message.New("cli.no_recipes_yet_hint"))
	}
	if slices.ContainsFunc(all, func(r recipes.File) bool { return r.Name == last }) {
		return last, nil
	}
	return slices.MaxFunc(all, func(a, b recipes.File) int { return cmp.Compare(changedAt(a.File), changedAt(b.File)) }).Name, nil
}

// changedAt is when a file was last written, in nanoseconds; 0 if unknown.
func changedAt(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// maxOffered is how many ids the shell completes.
const maxOffered = 20

// completeRuns offers the newest runs to the shell, with their goals.
func (s *shell) completeRuns(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.open(app.Options{})
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	runs, err := app.ListRuns(cmd.Context(), maxOffered)
	out := []cobra.Completion{}
	for _, r := range runs {
		out = append(out, cobra.CompletionWithDesc(r.RunID, s.Text("cli.status", "status", r.Status)+": "+print.Shorten(s.GoalOf(r.Goal), 60)))
	}
	return offerLast(out, s.Text("cli.newest_run"), err)
}

// completeDrafts offers the drafts that wait.
func (s *shell) completeDrafts(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.open(app.Options{})
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	drafts, err := app.ListDrafts(cmd.Context(), false)
	out := []cobra.Completion{}
	for _, d := range drafts {
		out = append(out, cobra.CompletionWithDesc(d.DraftID, s.TextOf(print.StateOf(d))+": "+print.Shorten(s.GoalOf(d.Goal), 60)))
	}
	return offerLast(out, s.Text("cli.newest_draft"), err)
}

// completeRecipes offers the person's own recipes, and files.
func (s *shell) completeRecipes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	app, err := s.open(app.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	recipes, _ := app.Recipes().List() // without them there are files to offer
	out := []cobra.Completion{}
	for _, r := range recipes {
		out = append(out, cobra.CompletionWithDesc(r.Name, print.Shorten(r.Description, 60)))
	}
	return out, cobra.ShellCompDirectiveDefault
}

// offerLast puts last before other ids, where there are any.
func offerLast(ids []cobra.Completion, what string, err error) ([]cobra.Completion, cobra.ShellCompDirective) {
	if err == nil && len(ids) > 0 {
		ids = slices.Insert(ids, 0, cobra.CompletionWithDesc(last, what))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
