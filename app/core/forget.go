package core

import (
	"context"
	"time"

	"errand/host/event"
	"errand/host/store"
	"errand/host/tool"
)

// PruneReport is what a pruning removed, or would have: everything that began
// before a time.
type PruneReport struct {
	Before time.Time `json:"before"`
	store.PruneReport
}

// Prune forgets the runs that are older, with all that was written down of them,
// and the drafts that expired before then. dryRun only counts.
func (a *App) Prune(ctx context.Context, olderThan time.Duration, dryRun bool) (PruneReport, error) {
	if olderThan < 0 {
		return PruneReport{}, tool.Errorf(tool.ValidationError, "bad_age", "an age of %v is none", olderThan)
	}
	s, err := a.storage()
	if err != nil {
		return PruneReport{}, err
	}
	before := a.now().Add(-olderThan)
	forget := s.Prune
	if dryRun {
		forget = s.Prunable
	}
	r, err := forget(ctx, before)
	return PruneReport{before.UTC(), r}, err
}

// Subscribe gives what happens to runs, steps and drafts from now on, here and
// in other programs over the same record, to a reader that keeps up: see
// [event.Bus].
func (a *App) Subscribe(ctx context.Context, f event.Filter) (*event.Subscription, error) {
	if _, err := a.storage(); err != nil {
		return nil, err
	}
	return a.bus.Load().Subscribe(ctx, f, 0)
}

// SubscribeFrom is Subscribe that first gives what happened after seq.
func (a *App) SubscribeFrom(ctx context.Context, seq int64, f event.Filter) (*event.Subscription, error) {
	if _, err := a.storage(); err != nil {
		return nil, err
	}
	return a.bus.Load().SubscribeFrom(ctx, seq, f, 0)
}
