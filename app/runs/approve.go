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
	return (&storedDraft{attempt: x, store: s, was: h, next: h}).approve(ctx, rec, r)
}

// storedDraft is an attempt that goes on with a stored draft.
type storedDraft struct {
	*attempt
	store store.Store
	was   drafts.Draft // as it is stored
	next  drafts.Draft // as it is to be stored
}

// swap stores the draft as it is to be.
func (x *storedDraft) swap(ctx context.Context) error {
	h, err := x.runs.o.Drafts.Swap(ctx, x.store, x.was, x.next)
	x.was, x.next = h, h
	return err
}

// approve approves the draft as it is now and goes on with its run.
func (x *storedDraft) approve(ctx context.Context, rec trace.Record, r ApproveRequest) (Report, error) {
	rs, ds, h := x.runs, x.runs.o.Drafts, x.was
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
	if x.next, err = ds.Settle(h, stepIDs(done)); err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	if x.next.State == approval.StateApplied { // its program died after the last effect
		return x.finishDraft(ctx)
	}
	wanted := r.Actions
	if len(wanted) == 0 { // what was rejected may be wrong
		wanted = x.next.Left()
	}
	if fault := e.Only(wanted).Fault(); fault != nil {
		return x.block(ctx, fault)
	}
	if r.Revision != "" && r.Revision != h.Revision() {
		x.wait(h, tool.NewError(tool.PolicyDenied, drafts.CodeDrift, message.New("runs.draft_changed", "draft", h.ID)).
			WithHint(message.New("runs.show_draft_again", "draft", h.ID)))
		return x.report, nil
	}
	if drift := h.Drift(e); drift != nil {
		return x.askAgain(ctx, e, drift)
	}
	if x.next.State == approval.StateBlocked || x.next.State == approval.StateReady {
		if x.next.Draft.Draft, err = x.next.Draft.Reopen(rs.now()); err != nil {
			return x.report, drafts.Refusal(h, err)
		}
	}
	by := r.By
	if by == "" {
		by = rs.o.User
	}
	begun, err := ds.Begin(x.next, drafts.Answer{Yes: true, Actions: r.Actions, Confirm: r.Confirm, Confirmed: r.Confirmed}, by, r.until)
	if err != nil {
		fault := drafts.Refusal(h, err)
		if fault.Code == drafts.CodeConfirm {
			h.Draft.Confirm = begun.Draft.Confirm
			what := strings.Join(append([]string{h.ID}, r.Actions...), " ")
			x.wait(h, fault.WithHint(message.New("runs.confirm_again", "draft", what, "count", h.Confirm)))
			return x.report, nil
		}
		if fault.Code == drafts.CodeUnconfirmed {
			x.wait(h, fault)
			return x.report, nil
		}
		return x.report, fault
	}
	waiting := x.next
	x.next = begun
	if err := x.swap(ctx); err != nil {
		return x.report, err
	}
	if err := x.reopenRecord(ctx, x.store); err != nil {
		x.next = waiting // it is not being applied after all
		_ = x.swap(ctx)
		return x.report, err
	}
	x.applyDraft(ctx, x.was, e.Prepared, done)
	if len(r.Actions) == 0 {
		x.explainUnconfirmed(x.was)
	}
	if x.request.Task != nil {
		x.task.continueTask(ctx)
	}
	return x.finish(ctx)
}

// block records why the draft can't be applied now. Nothing was called: the draft can be
// approved again once the reason is gone.
func (x *storedDraft) block(ctx context.Context, fault *tool.Error) (Report, error) {
	var err error
	if x.next.State != approval.StateBlocked {
		x.next.Draft.Draft, err = x.next.Draft.Block(fault.Message)
	}
	if err == nil {
		err = x.swap(ctx)
	}
	if err != nil {
		return x.report, drafts.Refusal(x.was, err)
	}
	view := x.was.View()
	x.report.Draft, x.report.DraftID, x.report.Error = &view, x.was.ID, fault
	x.report.Status, x.report.StopReason = trace.Failed, trace.StopError
	if fault.Class == tool.PolicyDenied {
		x.report.Status, x.report.StopReason = trace.Denied, trace.StopPolicyDenied
	}
	return x.report, nil
}

// askAgain shows the draft as it is now, and waits.
func (x *storedDraft) askAgain(ctx context.Context, e drafts.Evaluation, drift *tool.Error) (Report, error) {
	var err error
	if x.next, err = x.runs.o.Drafts.Revise(x.next, e); err == nil {
		err = x.swap(ctx)
	}
	if err != nil {
		return x.report, drafts.Refusal(x.was, err)
	}
	x.wait(x.was, drift.WithHint(message.New("runs.approve_again", "draft", x.was.ID)))
	return x.report, nil
}
