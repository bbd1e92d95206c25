package shell

import (
	"cmp"
	"context"
	"os"
	"slices"

	"errand/app"
	"errand/app/recipes"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// lastAlias stands for the latest run, draft or recipe; see the resolvers.
const lastAlias = "last"

// Resolver returns the id that an argument of a command stands for.
type Resolver func(ctx context.Context, app *app.App, arg string) (string, error)

// ResolveRun replaces last by the run with the latest activity.
func ResolveRun(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
		return arg, otherKind(ctx, app, arg, trace.CodeRunNotFound)
	}
	id, err := app.LastRun(ctx)
	if err == nil && id == "" {
		err = tool.NewError(tool.ValidationError, trace.CodeRunNotFound, message.New("cli.no_runs_yet")).WithHint(message.New("cli.no_runs_yet_hint"))
	}
	return id, err
}

// ResolveUndoable replaces last by the latest run that can be undone, or else by the run with the
// latest activity.
func ResolveUndoable(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
		return ResolveRun(ctx, app, arg)
	}
	if id, err := app.LastUndoable(ctx); err != nil || id != "" {
		return id, err
	}
	return ResolveRun(ctx, app, arg)
}

// ResolveDraft replaces last by the newest draft that needs approval.
func ResolveDraft(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
		return arg, otherKind(ctx, app, arg, codeDraftNotFound)
	}
	drafts, err := app.ListDrafts(ctx, false)
	if err != nil {
		return "", err
	}
	if len(drafts) == 0 {
		return "", tool.NewError(tool.ValidationError, codeDraftNotFound, message.New("cli.no_waiting_drafts")).WithHint(message.New("cli.no_waiting_drafts_hint"))
	}
	return drafts[0].DraftID, nil
}

// ResolveDraftOrRun replaces last by the newest draft that needs approval, or else by the run
// with the latest activity.
func ResolveDraftOrRun(ctx context.Context, app *app.App, arg string) (string, error) {
	if arg != lastAlias {
		return arg, nil
	}
	if id, err := ResolveDraft(ctx, app, arg); err == nil {
		return id, nil
	}
	return ResolveRun(ctx, app, arg)
}

// ResolveRecipe replaces last by the recipe whose file was changed last. A recipe with the name
// "last" takes precedence.
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

// otherKind returns the error for the id of a draft where a run is expected, or the other way
// round. code says which was not found. It returns nil for other ids, which the command looks up.
func otherKind(ctx context.Context, app *app.App, id, code string) error {
	if len(id) < wholeID {
		return nil
	}
	d, draftErr := app.ShowDraft(ctx, id)
	rec, runErr := app.Excerpt(ctx, id, 1)
	switch {
	case draftErr == nil && runErr != nil && code == trace.CodeRunNotFound:
		return tool.NewError(tool.ValidationError, code, message.New("cli.id_of_draft", "id", d.DraftID)).
			WithHint(message.New("cli.id_of_draft_hint", "draft", d.DraftID, "run", d.RunID))
	case runErr == nil && draftErr != nil && code == codeDraftNotFound && rec.DraftID != "":
		return tool.NewError(tool.ValidationError, code, message.New("cli.id_of_run", "id", rec.RunID)).
			WithHint(message.New("cli.id_of_run_draft_hint", "draft", rec.DraftID))
	case runErr == nil && draftErr != nil && code == codeDraftNotFound:
		return tool.NewError(tool.ValidationError, code, message.New("cli.id_of_run", "id", rec.RunID)).
			WithHint(message.New("cli.id_of_run_hint", "run", rec.RunID))
	}
	return nil
}

// codeDraftNotFound is the code of the error for an id that no draft has.
const codeDraftNotFound = "draft_not_found"

// wholeID is the length of a complete id.
const wholeID = 26

// changedAt returns when a file was last written, in nanoseconds; 0 if unknown.
func changedAt(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}
