package runs

import (
	"context"
	"strings"

	"errand/app/drafts"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// Approve approves a draft, or some of its actions, and applies them. It tries blocked
// actions again: only those that are not done yet, and never without their
// dependencies. A draft that still waits afterwards, because it has to be answered,
// confirmed or shown again, is a [Report] of status needs_approval; the error is for a
// draft that can't be approved at all.
//
// If two callers approve one draft at once, one applies it. The other gets the error
// draft_applying or draft_moved, or the report where it is applied.
func (rs *Runs) Approve(ctx context.Context, r ApproveRequest) (Report, error) {
	s, h, err := rs.o.Drafts.Load(ctx, r.ID)
	if err != nil {
		return Report{}, err
	}
	rec, err := s.Record(ctx, h.RunID)
	if err != nil {
		return Report{}, err
	}
	if h.State == approval.StateApplied {
		if rec.Status == trace.Running { // its last action is done, and the end not written yet
			return Report{}, drafts.UnderWay(h)
		}
		return endedReport(h, rec), nil
	}
	if fault := h.Ended(); fault != nil {
		return Report{}, fault
	}
	if rec.Status == trace.Running || h.State == approval.StateApplying && !h.Stranded {
		return Report{}, drafts.UnderWay(h)
	}
	if fault := h.CheckWithheld(); fault != nil {
		return Report{}, fault
	}
	x, end, err := rs.takeUp(h, rec, r.Progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	return x.takeDraft(ctx, s, h, rec, r)
}

// takeDraft approves a draft as it is now and goes on with its run.
func (x *attempt) takeDraft(ctx context.Context, s store.Store, h drafts.Draft, rec trace.Record, r ApproveRequest) (Report, error) {
	rs, ds := x.runs, x.runs.o.Drafts
	if len(h.View().Questions) > 0 {
		x.wait(h, tool.NewError(tool.PolicyDenied, drafts.CodeOpenQuestions, h.View().Questions[0].Question).
			WithHint(message.New("runs.answer_question", "draft", h.ID, "question", h.View().Questions[0].ID)))
		return x.report, nil
	}
	if err := x.task.loadPlanner(ctx); err != nil {
		return x.report, err
	}
	done := committed(rec.Steps)
	e, err := x.evaluate(ctx, h.Plan, stepIDs(done))
	if err != nil {
		return x.report, err
	}
	next, err := ds.Settle(h, stepIDs(done))
	if err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	if next.State == approval.StateApplied { // its program died after the last effect
		return x.finishDraft(ctx, s, h, next)
	}
	wanted := r.Actions
	if len(wanted) == 0 { // what was rejected may be wrong
		wanted = next.Left()
	}
	if fault := e.Only(wanted).Fault(); fault != nil {
		return x.block(ctx, s, h, next, fault)
	}
	if r.Revision != "" && r.Revision != h.Revision() {
		x.wait(h, tool.NewError(tool.PolicyDenied, drafts.CodeDrift, message.New("runs.draft_changed", "draft", h.ID)).
			WithHint(message.New("runs.show_draft_again", "draft", h.ID)))
		return x.report, nil
	}
	if drift := h.Drift(e); drift != nil {
		return x.askAgain(ctx, s, h, next, e, drift)
	}
	if next.State == approval.StateBlocked || next.State == approval.StateReady {
		if next.Draft.Draft, err = next.Draft.Reopen(rs.now()); err != nil {
			return x.report, drafts.Refusal(h, err)
		}
	}
	by := r.By
	if by == "" {
		by = rs.o.User
	}
	begun, err := ds.Begin(next, drafts.Answer{Yes: true, Actions: r.Actions, Confirm: r.Confirm}, by, r.until)
	if err != nil {
		fault := drafts.Refusal(h, err)
		if fault.Code == drafts.CodeConfirm {
			h.Draft.Confirm = begun.Draft.Confirm
			what := strings.Join(append([]string{h.ID}, r.Actions...), " ")
			x.wait(h, fault.WithHint(message.New("runs.confirm_again", "draft", what, "count", h.Confirm)))
			return x.report, nil
		}
		return x.report, fault
	}
	if begun, err = rs.o.Drafts.Swap(ctx, s, h, begun); err != nil {
		return x.report, err
	}
	if err := x.reopenRecord(ctx, s); err != nil {
		_, _ = rs.o.Drafts.Swap(ctx, s, begun, next) // it is not being applied after all
		return x.report, err
	}
	x.applyDraft(ctx, begun, e.Prepared, done)
	if x.request.Task != nil {
		x.task.continueTask(ctx)
	}
	return x.finish(ctx)
}

// block records why a draft can't be applied now. Nothing was called: the draft can be
// approved again once the reason is gone.
func (x *attempt) block(ctx context.Context, s store.Store, h, next drafts.Draft, fault *tool.Error) (Report, error) {
	var err error
	if next.State != approval.StateBlocked {
		next.Draft.Draft, err = next.Draft.Block(fault.Message)
	}
	if err == nil {
		h, err = x.runs.o.Drafts.Swap(ctx, s, h, next)
	}
	if err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	view := h.View()
	x.report.Draft, x.report.DraftID, x.report.Error = &view, h.ID, fault
	x.report.Status, x.report.StopReason = trace.Failed, trace.StopError
	if fault.Class == tool.PolicyDenied {
		x.report.Status, x.report.StopReason = trace.Denied, trace.StopPolicyDenied
	}
	return x.report, nil
}

// askAgain shows the draft as it is now, and waits.
func (x *attempt) askAgain(ctx context.Context, s store.Store, h, next drafts.Draft, e drafts.Evaluation, drift *tool.Error) (Report, error) {
	next, err := x.runs.o.Drafts.Revise(next, e)
	if err == nil {
		h, err = x.runs.o.Drafts.Swap(ctx, s, h, next)
	}
	if err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	x.wait(h, drift.WithHint(message.New("runs.approve_again", "draft", h.ID)))
	return x.report, nil
}
