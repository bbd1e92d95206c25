package runs

import (
	"context"

	"errand/app/drafts"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy/approval"
)

// settleDraft records on the draft the outcome of its application. Actions that were not approved
// still wait; a draft fails if only failed actions are left.
func (x *attempt) settleDraft(ctx context.Context, h drafts.Draft, approved []string, steps []trace.Step) {
	a := h.Apply(approved, steps)
	x.report.Applied = append(x.report.Applied, a.Done...)
	for _, step := range a.Failed {
		x.report.Failed = append(x.report.Failed, failedAction(step))
	}
	s, err := x.runs.storage()
	if err == nil {
		h, err = x.runs.o.Drafts.FinishApply(ctx, s, h, a)
	}
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

func failedAction(step trace.Step) FailedAction {
	f := FailedAction{ActionID: step.StepID, Status: step.Status, Code: step.ErrorCode}
	if step.Error != nil {
		f.Reason = step.Error.Message
	}
	return f
}
