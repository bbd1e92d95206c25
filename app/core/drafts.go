package core

import (
	"context"
	"time"

	"errand/host/tool"
)

var errNotWired = tool.Errorf(tool.ToolUnavailable, "not_wired", "this is not wired yet")

// Drafts lists the drafts that wait for a person, newest first; all: those that
// ended, too.
func (a *App) Drafts(ctx context.Context, all bool) ([]DraftView, error) { return nil, errNotWired }

// Draft is one draft. The id may be an unambiguous beginning.
func (a *App) Draft(ctx context.Context, id string) (DraftView, error) {
	return DraftView{}, errNotWired
}

// Approve approves a draft, or some of its actions, and carries them out.
func (a *App) Approve(ctx context.Context, r ApproveRequest) (Report, error) {
	return Report{}, errNotWired
}

// Reject says no to a draft, or to some of its actions.
func (a *App) Reject(ctx context.Context, id string, actions ...string) (DraftView, error) {
	return DraftView{}, errNotWired
}

// Edit changes or drops actions of a draft.
func (a *App) Edit(ctx context.Context, r EditRequest) (DraftView, error) {
	return DraftView{}, errNotWired
}

// Answer answers the questions of a draft, or says of a run's actions whose
// outcome nobody knows whether they are "done" or "not-done".
func (a *App) Answer(ctx context.Context, id string, answers map[string]string) (DraftView, error) {
	return DraftView{}, errNotWired
}

// Resume takes up a run that was interrupted or failed.
func (a *App) Resume(ctx context.Context, r ResumeRequest) (Report, error) {
	return Report{}, errNotWired
}

// Undo proposes to take a run back.
func (a *App) Undo(ctx context.Context, id string) (DraftView, error) {
	return DraftView{}, errNotWired
}

// Prune forgets runs that are older.
func (a *App) Prune(ctx context.Context, olderThan time.Duration, dryRun bool) (PruneReport, error) {
	return PruneReport{}, errNotWired
}
