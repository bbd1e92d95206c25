package runs

import (
	"context"
	"maps"
	"slices"

	"errand/app/drafts"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// settleDraft records on the draft the outcome of its application. Actions that were not approved
// still wait; a draft fails if only failed actions are left.
func (x *attempt) settleDraft(ctx context.Context, h drafts.Draft, approved []string, steps []trace.Step) {
	done := slices.Clone(h.Done)
	var failed []string
	var reason message.Message
	next := h
	next.Proposal.Outcomes = map[string]drafts.Outcome{}
	maps.Copy(next.Proposal.Outcomes, h.Proposal.Outcomes)
	for _, a := range h.Actions {
		at := slices.IndexFunc(steps, func(s trace.Step) bool { return s.StepID == a.ActionID })
		if at < 0 || !slices.Contains(approved, a.ActionID) || slices.Contains(h.Done, a.ActionID) {
			continue
		}
		step := steps[at]
		if step.Status == trace.Done {
			delete(next.Proposal.Outcomes, a.ActionID) // the draft knows what is done
			done = append(done, a.ActionID)
			x.report.Applied = append(x.report.Applied, a.ActionID)
			continue
		}
		outcome := drafts.Outcome{Status: drafts.ActionFailed, Error: step.Error}
		switch {
		case step.Effect == tool.Unknown:
			outcome.Status = drafts.ActionUnknown
		case step.Status == trace.Skipped: // it was not begun
			outcome = drafts.Outcome{Status: drafts.ActionProposed}
		case step.Status == trace.Failed || step.Status == trace.Denied:
			failed = append(failed, a.ActionID)
		}
		next.Proposal.Outcomes[a.ActionID] = outcome
		f := failedAction(step)
		x.report.Failed = append(x.report.Failed, f)
		if reason.IsZero() {
			reason = message.New("runs.action_failed", "action", f.ActionID, "cause", f.Reason)
		}
	}
	h, err := x.runs.storeSettled(ctx, h, next, done, failed, reason)
	if err != nil && x.report.Error == nil { // done, but not noted in the draft
		x.report.Error = tool.AsError(err)
	}
	x.report.DraftID = h.ID
	if h.State != approval.StateApplied {
		view := h.View()
		x.report.Draft = &view
		if x.report.Status == trace.Done { // the rest of it still waits
			x.report.Status, x.report.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
		}
	}
}

// explainUnconfirmed sets the report's error if destructive actions still need a confirmation
// after all other approved actions are done.
func (x *attempt) explainUnconfirmed() {
	if d := x.report.Draft; d != nil && x.report.Status == trace.NeedsApproval && x.report.Error == nil && len(d.Destructive) > 0 {
		x.report.Error = drafts.Unconfirmed(*d, d.Destructive)
	}
}

// storeSettled stores a draft after its application. It counts the remaining actions
// again, because the user confirmed the count of all.
func (rs *Runs) storeSettled(ctx context.Context, h, next drafts.Draft, done, failed []string, reason message.Message) (drafts.Draft, error) {
	var err error
	if next.Draft.Draft, err = h.Draft.FinishApply(done, reason, rs.now()); err != nil {
		return h, err
	}
	if next.State == approval.StateBlocked {
		if next.Draft.Draft, err = next.Draft.Fail(failed...); err != nil {
			return h, err
		}
	}
	if !next.State.Final() {
		next.Draft.Confirm = drafts.CountRemaining(next.Draft.Draft)
	}
	s, err := rs.storage()
	if err != nil {
		return h, err
	}
	return rs.o.Drafts.Swap(ctx, s, h, next)
}

func failedAction(step trace.Step) FailedAction {
	f := FailedAction{ActionID: step.StepID, Status: step.Status, Code: step.ErrorCode}
	if step.Error != nil {
		f.Reason = step.Error.Message
	}
	return f
}
