package runs

import (
	"cmp"
	"context"

	"errand/app/drafts"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// Approve approves a draft, or some of its actions, and applies them, or leaves that to
// [Runs.Apply]. It tries blocked actions again: only those that are not done yet, and
// never without their dependencies. A draft that still waits afterwards, because it has
// to be answered, confirmed, shown again or applied later, is a [Report] of status
// needs_approval; the error is for a draft that can't be approved at all.
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
	if pressed, err := rs.o.Drafts.WasPressed(ctx, s, &h, r.Callback, drafts.PressApply); err != nil || pressed && rec.Status != trace.Running {
		return endedReport(h, rec), err
	}
	if h.State == approval.StateApplied {
		if rec.Status == trace.Running { // its last action is done, and the end not written yet
			return Report{}, drafts.UnderWay(h)
		}
		return endedReport(h, rec), nil
	}
	if fault := h.EndedError(); fault != nil {
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
	x.request.Conversation = r.Conversation
	return (&storedDraft{attempt: x, store: s, stored: h, next: h}).approve(ctx, r)
}

// Apply applies a draft that [Runs.Approve] made READY, or goes on with one whose program
// died while it applied it. If something has changed since the approval, nothing is applied:
// the approval is lost and the report shows the draft again, as that of Approve does. Without
// a valid approval the error has the code approval_required.
func (rs *Runs) Apply(ctx context.Context, r ApplyRequest) (Report, error) {
	s, h, err := rs.o.Drafts.Load(ctx, r.ID)
	if err != nil {
		return Report{}, err
	}
	switch {
	case h.State == approval.StateApplied:
		return rs.Approve(ctx, ApproveRequest{ID: h.ID})
	case h.EndedError() != nil:
		return Report{}, h.EndedError()
	case !rs.o.Drafts.HasApproval(h):
		return Report{}, drafts.NotApproved(h)
	case h.State == approval.StateReady:
		return rs.Approve(ctx, ApproveRequest{ID: h.ID, Revision: r.Revision, Progress: r.Progress, isApproved: true})
	}
	rec, err := s.Record(ctx, h.RunID)
	if err != nil {
		return Report{}, err
	}
	return rs.resumeDraft(ctx, s, h, rec, ResumeRequest{Progress: r.Progress})
}

// storedDraft is an attempt that continues a stored draft.
type storedDraft struct {
	*attempt
	store  store.Store
	stored drafts.Draft // as it is stored
	next   drafts.Draft // as it is to be stored
}

// swap stores the new version of the draft.
func (x *storedDraft) swap(ctx context.Context) error {
	h, err := x.runs.o.Drafts.Swap(ctx, x.store, x.stored, x.next)
	x.stored, x.next = h, h
	return err
}

// approve approves the draft as it is now, unless it is approved already, and continues its run.
func (x *storedDraft) approve(ctx context.Context, r ApproveRequest) (Report, error) {
	ds, h := x.runs.o.Drafts, x.stored
	if r.isApproved && !ds.HasApproval(h) { // it was withdrawn meanwhile
		return x.report, drafts.NotApproved(h)
	}
	if len(h.View().Questions) > 0 {
		x.wait(h, drafts.QuestionsFirst(h))
		return x.report, nil
	}
	if err := h.CheckActions(r.Actions); err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	revision := r.Revision
	if revision == "" && !r.isApproved { // otherwise an edit would have withdrawn the approval
		revision = h.View().ProposedRevision()
	}
	if revision != "" && revision != h.Revision() {
		x.report.Changes = h.ChangesSince(revision)
		x.wait(h, drafts.ChangedError(h, x.report.Changes, r.Actions))
		return x.report, nil
	}
	if err := x.task.loadPlanner(ctx); err != nil {
		return x.report, err
	}
	done := doneSteps(x.earlierSteps)
	e, err := x.evaluate(ctx, h.Plan, stepIDs(done))
	if err != nil {
		return x.report, err
	}
	e.AllowProblems()
	if x.next, err = ds.Settle(h, stepIDs(done)); err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	if x.next.State == approval.StateApplied { // its program died after the last effect
		return x.finishDraft(ctx)
	}
	wanted := r.Actions
	switch {
	case r.isApproved:
		wanted = h.Approval.IDs()
	case len(wanted) == 0: // what was rejected may be wrong
		wanted = x.next.Remaining()
	}
	if fault := e.Select(wanted).FirstError(); fault != nil {
		return x.block(ctx, fault)
	}
	if drift := h.Drift(e); drift != nil {
		return x.askAgain(ctx, e, drift)
	}
	waiting := x.next
	if !r.isApproved {
		if fault := x.markReady(r); fault != nil {
			if fault.Code == drafts.CodeConfirm {
				h.Draft.Confirm = x.next.Draft.Confirm
				x.wait(h, fault.WithHint(message.New("runs.confirm_again", "command", h.View().ApproveCommand(r.Actions...))))
				return x.report, nil
			}
			if fault.Code == drafts.CodeUnconfirmed {
				x.wait(h, fault)
				return x.report, nil
			}
			return x.report, fault
		}
		if r.ApplyLater {
			if err := x.swap(ctx); err != nil {
				return x.report, err
			}
			x.wait(x.stored, nil)
			x.report.Error = nil
			return x.report, nil
		}
	}
	if x.next, err = ds.Begin(x.next); err != nil {
		return x.report, drafts.Refusal(h, err)
	}
	if err := x.swap(ctx); err != nil {
		return x.report, err
	}
	if err := x.reopenRecord(ctx, x.store); err != nil {
		x.next = waiting // it is not applied now
		_ = x.swap(ctx)
		return x.report, err
	}
	x.applyDraft(ctx, x.stored, e.Prepared, done)
	if len(r.Actions) == 0 {
		x.explainUnconfirmed()
	}
	if x.request.Task != nil {
		x.task.continueTask(ctx, x.stored)
	}
	return x.finish(ctx)
}

// markReady approves the new version of the draft. An earlier approval, and a block whose reason
// is gone, don't count any more.
func (x *storedDraft) markReady(r ApproveRequest) *tool.Error {
	var err error
	if x.next.State == approval.StateBlocked || x.next.State == approval.StateReady {
		if x.next.Draft.Draft, err = x.next.Draft.Reopen(x.runs.now()); err != nil {
			return drafts.Refusal(x.stored, err)
		}
	}
	answer := drafts.Answer{Yes: true, Actions: r.Actions, Confirm: r.Confirm, Confirmed: r.Confirmed}
	if x.next, err = x.runs.o.Drafts.MarkReady(x.next, answer, cmp.Or(r.By, x.runs.o.User), r.expires); err != nil {
		return drafts.Refusal(x.stored, err)
	}
	return nil
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
		return x.report, drafts.Refusal(x.stored, err)
	}
	view := x.stored.View()
	x.report.Draft, x.report.DraftID, x.report.Error = &view, x.stored.ID, fault
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
		return x.report, drafts.Refusal(x.stored, err)
	}
	x.wait(x.stored, drift.WithHint(x.stored.View().ApproveAgain()))
	return x.report, nil
}
