package shell

import (
	"cmp"
	"context"
	"os"
	"slices"

	"errand/app"
	"errand/app/recipes"
	"errand/host/tool"
	"errand/planner/message"
)

// lastAlias stands in place of an id or a name, for a run, draft or recipe; see the resolvers.
const lastAlias = "last"

// Resolver returns the id that an argument of a command stands for.
type Resolver func(ctx context.Context, app *app.App, arg string) (string, error)

// ResolveRun replaces last by the run that last went on.
func ResolveRun(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
		return arg, nil
	}
	id, err := app.LastRun(ctx)
	if err == nil && id == "" {
		err = tool.NewError(tool.ValidationError, "run_not_found", message.New("cli.no_runs_yet")).WithHint(message.New("cli.no_runs_yet_hint"))
	}
	return id, err
}

// ResolveUndoable replaces last by the run that last did something that can be undone,
// or else by the run that last went on.
func ResolveUndoable(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
		return arg, nil
	}
	if id, err := app.LastUndoable(ctx); err != nil || id != "" {
		return id, err
	}
	return ResolveRun(ctx, app, arg)
}

// ResolveDraft replaces last by the newest draft that waits.
func ResolveDraft(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
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

// ResolveDraftOrRun replaces last by the newest draft that waits, or else by the
// run that last went on.
func ResolveDraftOrRun(ctx context.Context, app *app.App, arg string) (string, error) {
	if id, err := ResolveDraft(ctx, app, arg); err == nil {
		return id, nil
	}
	return ResolveRun(ctx, app, arg)
}

// ResolveRecipe replaces last by the recipe whose file changed last. A recipe of
// that name goes first.
func ResolveRecipe(_ context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
		return arg, nil
	}
	all, err := app.Recipes().List()
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", tool.NewError(tool.ValidationError, recipes.CodeNotFound, message.New("cli.no_recipes_yet")).WithHint(message.New("cli.no_recipes_yet_hint"))
	}
	if slices.ContainsFunc(all, func(r recipes.File) bool { return r.Name == lastAlias }) {
		return lastAlias, nil
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
