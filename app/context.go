package app

import (
	"context"

	"errand/app/lookback"
	"errand/app/runs"
	"errand/host/trace"
	"errand/planner/interpret/followup"
)

// ownContext returns what reads the context of this face. It is nil if the face has none.
func (a *App) ownContext() func() followup.Context {
	if a.o.Conversation == "" {
		return nil
	}
	return func() followup.Context { return a.Context(context.Background(), a.o.Conversation) }
}

// lookBack does what a request asks of an earlier run.
func (a *App) lookBack(ctx context.Context, r runs.Request, report runs.Report) (runs.Report, error) {
	return lookback.New(lookback.Options{
		Store: a.storage, Undo: a.Undo, Drafts: a.Drafts, Approve: a.Approve, User: a.user(),
		Age: func(run trace.Run) int { return int(a.now().Sub(run.StartedAt).Minutes()) * 60 },
	})(ctx, r, report)
}
