package app

import (
	"context"
	"time"

	"errand/app/conversation"
	"errand/app/lookback"
	"errand/app/runs"
	"errand/host/trace"
	"errand/planner/interpret/followup"
)

// windowTimeout bounds the question which page the visible browser shows.
const windowTimeout = 2 * time.Second

// newKeeper keeps the context of the goals of this face. "This page" is the page that the visible
// browser shows.
func newKeeper(a *App, now func() time.Time) *conversation.Keeper {
	return &conversation.Keeper{Store: a.storage, Now: now, Name: a.o.Conversation, Window: func(ctx context.Context) string {
		ctx, cancel := context.WithTimeout(ctx, windowTimeout)
		defer cancel()
		pages, err := a.Agent().Pages(ctx)
		if err != nil {
			return ""
		}
		for _, p := range pages {
			if p.Current {
				return p.URL
			}
		}
		return ""
	}}
}

// contextOf returns what reads the context of this face. It is nil if the face has none.
func contextOf(a *App) func() followup.Context {
	if a.o.Conversation == "" {
		return nil
	}
	return func() followup.Context { return a.Context(context.Background(), a.o.Conversation) }
}

// lookBack returns what does what a request asks of an earlier run.
func lookBack(a *App) func(context.Context, runs.Request, runs.Report) (runs.Report, error) {
	return func(ctx context.Context, r runs.Request, report runs.Report) (runs.Report, error) {
		return lookback.New(lookback.Options{
			Store: a.storage, Undo: a.Undo, Drafts: a.Drafts, Approve: a.Approve, Clear: a.ClearContext, User: a.user(),
			Age:  func(run trace.Run) int { return int(a.now().Sub(run.StartedAt).Minutes()) * 60 },
			Zone: func() *time.Location { return a.now().Location() },
		})(ctx, r, report)
	}
}
