package core

import (
	"context"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
)

// endWaiting writes down that a run has ended which waited for a draft that is
// no more. What was done of it stays done.
func (a *App) endWaiting(ctx context.Context, s store.Store, h held, why *tool.Error) error {
	rec, err := s.Record(ctx, h.RunID)
	if err != nil || rec.Status == trace.Running { // whoever carries it out writes its end
		return err
	}
	run := rec.Run
	run.State = trace.StateStop
	switch {
	case rec.Status == trace.Failed || rec.Status == trace.Interrupted: // and stays so: what failed was not cancelled
	case len(h.Done) > 0:
		run.Status, run.StopReason, run.Error = trace.Done, trace.StopCompleted, nil
	default:
		run.Status, run.StopReason, run.Error = trace.Denied, trace.StopPolicyDenied, a.vault.CleanerOf(h.RunID).Error(why)
	}
	run.Setting = nil // it stays as it is kept
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return s.End(ctx, run)
}
