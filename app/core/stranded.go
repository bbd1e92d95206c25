package core

import (
	"context"

	"errand/host/store"
	"errand/host/trace"
	"errand/policy/approval"
)

// leftAlone settles a draft whose program died when all that was approved of it
// was done: it is carried out, or what nobody approved goes on waiting. Nothing
// is called.
func (a *App) leftAlone(ctx context.Context, s *store.Store, h held, rec trace.Record, progress func(Progress)) (Report, error) {
	x, end, err := a.takeUp(h, rec, progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	if err := x.equip(ctx); err != nil {
		return x.report, err
	}
	next, err := a.settled(h, keys(committed(rec.Steps)))
	if err != nil {
		return x.report, refusal(h, err)
	}
	if next.State == approval.StateApplied {
		return x.close(ctx, s, h, next)
	}
	if h, err = a.swap(ctx, s, h, next); err != nil {
		return x.report, err
	}
	x.waits(h, nil)
	return x.report, x.rewrite(ctx, s)
}

// close ends the run of a draft of which all is done.
func (x *execution) close(ctx context.Context, s *store.Store, h, next held) (Report, error) {
	h, err := x.app.swap(ctx, s, h, next)
	if err != nil {
		return x.report, err
	}
	if err := x.resume(ctx, s); err != nil {
		return x.report, err
	}
	x.report.Status, x.report.StopReason, x.report.Error = trace.Done, trace.StopCompleted, nil
	x.report.DraftID, x.report.Applied = h.ID, h.Done
	return x.finish(ctx)
}
