package core

import (
	"context"
	"slices"
	"strings"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy/approval"
)

// Approve approves a draft, or some of its actions, and carries them out. What
// was blocked is tried again: only what is not done yet, and never without what
// it depends on. A draft that still waits afterwards, because it has to be
// answered, confirmed or looked at again, is a [Report] of status
// needs_approval; the error is for one that can't be approved at all.
//
// Of two that approve one draft at once, one applies it. The other finds it
// being applied (draft_applying, draft_moved), or done, and gets what came of it.
func (a *App) Approve(ctx context.Context, r ApproveRequest) (Report, error) {
	s, h, err := a.held(ctx, r.ID)
	if err != nil {
		return Report{}, err
	}
	rec, err := s.Record(ctx, h.RunID)
	if err != nil {
		return Report{}, err
	}
	if h.State == approval.StateApplied {
		if rec.Status == trace.Running { // its last action is done, and the end not written yet
			return Report{}, applying(h)
		}
		return a.ended(h, rec), nil
	}
	if fault := h.over(); fault != nil {
		return Report{}, fault
	}
	if rec.Status == trace.Running || h.State == approval.StateApplying && !h.Stranded {
		return Report{}, applying(h)
	}
	if fault := h.withheld(); fault != nil {
		return Report{}, fault
	}
	x, end, err := a.takeUp(h, rec, r.Progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	return x.takeDraft(ctx, s, h, rec, r)
}

// takeDraft approves a draft as it stands now and goes on with its run.
func (x *execution) takeDraft(ctx context.Context, s store.Store, h held, rec trace.Record, r ApproveRequest) (Report, error) {
	a := x.app
	if len(h.view().Questions) > 0 {
		x.waits(h, tool.Errorf(tool.PolicyDenied, CodeOpenQuestions, "%s", h.view().Questions[0].Question).
			WithHint("errand answer %s %s=VALUE", h.ID, h.view().Questions[0].ID))
		return x.report, nil
	}
	done := committed(rec.Steps)
	j, err := x.judge(ctx, h.plan, keys(done))
	if err != nil {
		return x.report, err
	}
	next, err := a.settled(h, keys(done))
	if err != nil {
		return x.report, refusal(h, err)
	}
	if next.State == approval.StateApplied { // its program died after the last effect
		return x.close(ctx, s, h, next)
	}
	wanted := r.Actions
	if len(wanted) == 0 { // what was rejected may be wrong
		wanted = next.Left()
	}
	if fault := j.only(wanted).invalid(); fault != nil {
		return x.block(ctx, s, h, next, fault)
	}
	if r.Revision != "" && r.Revision != h.revision() {
		x.waits(h, tool.Errorf(tool.PolicyDenied, CodeDrift, "draft %s is no longer what you saw: it was changed meanwhile", h.ID).
			WithHint("look at it again: errand drafts %s", h.ID))
		return x.report, nil
	}
	if drift := h.drift(j); drift != nil {
		return x.askAgain(ctx, s, h, next, j, drift)
	}
	if next.State == approval.StateBlocked || next.State == approval.StateReady {
		if next.Draft.Draft, err = next.Draft.Reopen(a.now()); err != nil {
			return x.report, refusal(h, err)
		}
	}
	by := r.By
	if by == "" {
		by = a.user()
	}
	begun, err := a.begin(next, Answer{Yes: true, Actions: r.Actions, Confirm: r.Confirm, given: r.given}, by)
	if err != nil {
		fault := refusal(h, err)
		if fault.Code == CodeConfirm {
			h.Draft.Confirm = begun.Draft.Confirm
			what := strings.Join(append([]string{h.ID}, r.Actions...), " ")
			x.waits(h, fault.WithHint("errand approve %s --confirm %d", what, h.Confirm))
			return x.report, nil
		}
		return x.report, fault
	}
	if begun, err = a.swap(ctx, s, h, begun); err != nil {
		return x.report, err
	}
	if err := x.resume(ctx, s); err != nil {
		_, _ = a.swap(ctx, s, begun, next) // it is not being applied after all
		return x.report, err
	}
	x.under(ctx, begun, done)
	return x.finish(ctx)
}

// settled is a draft with what its record says was done: also one whose program
// died while it was applied.
func (a *App) settled(h held, done []string) (held, error) {
	next := h
	var err error
	if h.State == approval.StateApplying {
		done = slices.DeleteFunc(slices.Clone(done), func(id string) bool {
			return !slices.ContainsFunc(h.Approval.Actions, func(a approval.Action) bool { return a.ID == id })
		})
		next.Draft.Draft, err = h.Draft.Applied(done, "the program ended while it was carried out", a.now())
		if err == nil && !next.State.Final() { // the count was that of what was approved then
			next.Draft.Confirm = toConfirm(h.proposal.Actions, next.Left())
		}
	}
	return next, err
}

// block keeps why a draft can't be carried out now. Nothing was called and no
// key was claimed: once the reason is gone it can be approved again.
func (x *execution) block(ctx context.Context, s store.Store, h, next held, fault *tool.Error) (Report, error) {
	var err error
	if next.State != approval.StateBlocked {
		next.Draft.Draft, err = next.Draft.Block(fault.Message)
	}
	if err == nil {
		h, err = x.app.swap(ctx, s, h, next)
	}
	if err != nil {
		return x.report, refusal(h, err)
	}
	view := h.view()
	x.report.Draft, x.report.DraftID, x.report.Error = &view, h.ID, fault
	x.report.Status, x.report.StopReason = trace.Failed, trace.StopError
	if fault.Class == tool.PolicyDenied {
		x.report.Status, x.report.StopReason = trace.Denied, trace.StopPolicyDenied
	}
	return x.report, nil
}

// askAgain shows what holds now in place of what was shown, and waits.
func (x *execution) askAgain(ctx context.Context, s store.Store, h, next held, j judged, drift *tool.Error) (Report, error) {
	next, err := x.revise(next, j)
	if err == nil {
		h, err = x.app.swap(ctx, s, h, next)
	}
	if err != nil {
		return x.report, refusal(h, err)
	}
	x.waits(h, drift.WithHint("look at it again: errand approve %s", h.ID))
	return x.report, nil
}
