package history

import (
	"context"
	"time"

	"errand/host/event"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
)

// PruneReport is what a pruning removed, or would have: everything that began
// before a time.
type PruneReport struct {
	Before time.Time `json:"before"`
	Jobs   int       `json:"jobs,omitempty"` // of other programs, that ended before then
	store.PruneReport
}

// Prune forgets the runs that are older, with all that was written down of them,
// and the drafts that expired and the jobs that ended before then. dryRun only counts, and
// counts no jobs.
func (h *History) Prune(ctx context.Context, olderThan time.Duration, dryRun bool) (PruneReport, error) {
	if olderThan < 0 {
		return PruneReport{}, tool.NewError(tool.ValidationError, "bad_age", message.New("history.bad_age", "age", olderThan))
	}
	s, err := h.o.Store()
	if err != nil {
		return PruneReport{}, err
	}
	before := h.o.Now().Add(-olderThan)
	forget := s.Prune
	if dryRun {
		forget = s.Prunable
	}
	r, err := forget(ctx, before)
	out := PruneReport{Before: before.UTC(), PruneReport: r}
	if err == nil && !dryRun {
		out.Jobs, err = h.pruneJobs(ctx, before)
	}
	return out, err
}

// Subscribe gives what happens to runs, steps and drafts from now on, here and
// in other programs over the same record, to a reader that keeps up: see
// [event.Bus].
func (h *History) Subscribe(ctx context.Context, f event.Filter) (*event.Subscription, error) {
	if _, err := h.o.Store(); err != nil {
		return nil, err
	}
	return h.o.Bus().Subscribe(ctx, f, 0)
}

// SubscribeFrom is Subscribe that first gives what happened after seq.
func (h *History) SubscribeFrom(ctx context.Context, seq int64, f event.Filter) (*event.Subscription, error) {
	if _, err := h.o.Store(); err != nil {
		return nil, err
	}
	return h.o.Bus().SubscribeFrom(ctx, seq, f, 0)
}
