package runs

import (
	"context"

	"errand/app/drafts"
	"errand/host/store"
	"errand/host/trace"
	"errand/policy/approval"
)

// finishOrphanedDraft settles a draft if the program died after its last approved action: the
// draft is applied, or the actions without approval still wait. It calls nothing.
func (rs *Runs) finishOrphanedDraft(ctx context.Context, s store.Store, h drafts.Draft, rec trace.Record, progress func(Progress)) (Report, error) {
	x, end, err := rs.takeUp(h, rec, progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	if err := x.task.loadPlanner(ctx); err != nil {
		return x.report, err
	}
	if err := x.equip(ctx); err != nil {
		return x.report, err
	}
	next, err := rs.o.Drafts.Settle(h, stepIDs(doneSteps(rec.Steps)))
	if err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	if next.State == approval.StateApplied {
		return (&storedDraft{attempt: x, store: s, stored: h, next: next}).finishDraft(ctx)
	}
	if h, err = rs.o.Drafts.Swap(ctx, s, h, next); err != nil {
		return x.report, err
	}
	x.wait(h, nil)
	return x.report, x.rewrite(ctx, s)
}

// finishDraft ends the run of a completely applied draft.
func (x *storedDraft) finishDraft(ctx context.Context) (Report, error) {
	if err := x.swap(ctx); err != nil {
		return x.report, err
	}
	if err := x.reopenRecord(ctx, x.store); err != nil {
		return x.report, err
	}
	x.report.Status, x.report.StopReason, x.report.Error = trace.Done, trace.StopCompleted, nil
	x.report.DraftID, x.report.Applied = x.stored.ID, x.stored.Done
	if x.request.Task != nil {
		x.task.resumeTask(ctx, x.stored)
	}
	return x.finish(ctx)
}

// waitAgain records that a run waits for its draft, whose program died before the record named it.
func (rs *Runs) waitAgain(ctx context.Context, s store.Store, h drafts.Draft, rec trace.Record, progress func(Progress)) (Report, error) {
	x, end, err := rs.takeUp(h, rec, progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	if err := x.equip(ctx); err != nil {
		return x.report, err
	}
	if err := x.reopenRecord(ctx, s); err != nil {
		return x.report, err
	}
	x.wait(h, nil)
	report, err := x.finish(ctx)
	if report.Error != nil {
		e := *report.Error
		e.Code, report.Error = drafts.CodeAwaiting, &e
	}
	return report, err
}
