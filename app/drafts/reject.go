package drafts

import (
	"context"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// Reject rejects a draft, or some of its actions. Actions that depend on rejected
// ones can't be approved any more.
func (ds *Drafts) Reject(ctx context.Context, id string, actions ...string) (View, error) {
	return ds.reject(ctx, id, "", actions)
}

// RejectBy rejects a draft by the press of a button. Another call with the key of the press changes nothing.
func (ds *Drafts) RejectBy(ctx context.Context, id, key string) (View, error) {
	return ds.reject(ctx, id, key, nil)
}

func (ds *Drafts) reject(ctx context.Context, id, key string, actions []string) (View, error) {
	s, h, err := ds.Load(ctx, id)
	if err != nil {
		return View{}, err
	}
	if pressed, err := ds.WasPressed(ctx, s, &h, key, PressCancel); err != nil || pressed {
		return h.View(), err
	}
	if fault := h.EndedError(); fault != nil {
		return h.View(), fault
	}
	if h.State == approval.StateApplying {
		return h.View(), UnderWay(h)
	}
	next := h
	if next.Draft.Draft, err = h.Draft.Reject(ds.user, ds.now(), actions...); err != nil {
		return h.View(), Refusal(h, err)
	}
	if !next.State.Final() {
		next.Draft.Confirm = CountRemaining(next.Draft.Draft)
	}
	if h, err = ds.Swap(ctx, s, h, next); err != nil {
		return h.View(), err
	}
	if h.State == approval.StateCancelled {
		err = ds.EndRun(ctx, s, h, tool.NewError(tool.PolicyDenied, "rejected", message.New("drafts.rejected", "user", ds.user)))
	}
	return h.View(), err
}

// EndRun records the end of a run whose draft was rejected or cancelled. Actions that are
// done stay done.
func (ds *Drafts) EndRun(ctx context.Context, s store.Store, h Draft, why *tool.Error) error {
	rec, err := s.Record(ctx, h.RunID)
	if err != nil || rec.Status == trace.Running { // the program that runs it writes its end
		return err
	}
	run := rec.Run
	run.State = trace.StateStop
	switch {
	case rec.Status == trace.Failed || rec.Status == trace.Interrupted: // and stays so: what failed was not cancelled
	case failedStep(rec.Steps) != nil:
		run.Status, run.StopReason, run.Error = trace.Failed, trace.StopError, failedStep(rec.Steps).Error
	case len(h.Done) > 0:
		run.Status, run.StopReason, run.Error = trace.Done, trace.StopCompleted, nil
	default:
		run.Status, run.StopReason, run.Error = trace.Cancelled, trace.StopCancelled, ds.vault.CleanerOf(h.RunID).Error(why)
	}
	run.Setting = nil // it stays as it is kept
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	return s.End(ctx, run)
}

// failedStep is the first step that failed in the last attempt of its action; nil: none.
func failedStep(steps []trace.Step) *trace.Step {
	last := map[string]int{}
	for i, s := range steps {
		last[s.StepID] = i
	}
	for i, s := range steps {
		if last[s.StepID] == i && s.Status == trace.Failed {
			return &steps[i]
		}
	}
	return nil
}
