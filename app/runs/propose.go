package runs

import (
	"context"
	"time"

	"errand/app/access"
	"errand/app/drafts"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// propose stores an evaluated plan as a draft of this run, also if the user can be asked
// immediately: the record then has who approved it.
func (x *attempt) propose(ctx context.Context, e drafts.Evaluation, about drafts.Proposal, conflicts func(store.Draft) bool) (drafts.Draft, error) {
	h := drafts.Draft{Plan: e.Plan, Proposal: about}
	x.describe(&h.Proposal)
	h.Proposal.Describe(e)
	return x.runs.o.Drafts.Keep(ctx, h, x.id, e.Terms, conflicts)
}

// proposeOnly stores the plan of the request as a draft that waits, whatever policy decides.
func (x *attempt) proposeOnly(ctx context.Context, p plan.Plan) error {
	edited := x.request.Plan
	e, err := x.evaluate(ctx, p, nil)
	if err != nil {
		x.report.fail(ctx, err)
		return err
	}
	if fault := e.FirstError(); fault != nil && len(x.follows) > 0 { // another program asks, which reads why
		x.report.fail(ctx, fault)
		return fault
	}
	h, err := x.propose(ctx, e, *edited.Proposal, edited.Conflicts)
	if err != nil {
		x.report.Status, x.report.Error = trace.Failed, tool.AsError(err)
		if x.report.Error.Code == store.CodeDraftMoved {
			x.report.Status, x.report.Error = trace.Denied, drafts.Superseded(message.New("runs.undone_by_another_draft", "run", edited.Proposal.Undoes))
		}
		return err
	}
	x.wait(h, nil)
	return nil
}

// describe fills in the request.
func (x *attempt) describe(p *drafts.Proposal) {
	p.Words, p.Voice = x.request.words(), x.request.Voice
	if in := x.report.Interpretation; in != nil {
		p.Language = in.Language
	}
	p.PlanID = plan.ID(x.request.Origin, x.request.words(), p.Language)
	if edited := x.request.Plan; edited != nil {
		p.PlanID, p.Recipe, p.Params = edited.Plan.ID(), edited.Setting.Recipe, edited.Setting.Params
	}
	if r := x.report.Result; r != nil && r.Status() == plan.Partial {
		p.Part, p.Unmet = r.Reason(), r.Unmet()
	}
}

// byFlag is the stored name of a user who approved with --yes. It is the same in every language.
func byFlag(user string) string { return user + " (--yes)" }

// ask shows the draft of an evaluated plan to the user, or uses the approval given in advance. If
// it is approved, the draft is stored as APPLYING, and e is its latest evaluation. Otherwise the
// draft is as it is stored, and the error is the reason. An approval does not count if its effect
// has changed meanwhile.
func (x *attempt) ask(ctx context.Context, h drafts.Draft, e *drafts.Evaluation) (drafts.Draft, bool, *tool.Error) {
	x.rec.report(DraftEvent{h.View()})
	ds, now := x.runs.o.Drafts, x.runs.now
	answer, by := drafts.Answer{Yes: true, Confirm: h.Confirm}, x.runs.o.User
	switch {
	case x.request.Yes:
		by = byFlag(by)
	case x.request.Approve != nil:
		var err error
		if answer, err = x.request.Approve(ctx, h.View()); err != nil {
			e := drafts.WaitingError(h)
			e.Message = message.New("runs.asking_failed", "waiting", e.Message, "cause", err)
			return h, false, e
		}
	default:
		return h, false, nil
	}
	if ctx.Err() != nil {
		return h, false, nil
	}
	s, err := x.runs.storage()
	if err != nil {
		return h, false, tool.AsError(err)
	}
	next := h
	if !answer.Yes {
		if next.Draft.Draft, err = h.Draft.Reject(by, now()); err == nil {
			h, err = ds.Swap(ctx, s, h, next)
		}
		if err != nil {
			return x.runs.reload(ctx, h, err)
		}
		return h, false, tool.NewError(tool.PolicyDenied, "rejected", message.New("runs.rejected", "by", by))
	}
	if !x.request.Yes { // which approves whatever is there
		var fault *tool.Error
		if h, fault = x.checkDrift(ctx, h, e, answer.Actions); fault != nil {
			return h, false, fault
		}
	}
	if next, err = ds.MarkReady(h, answer, by, time.Time{}); err == nil {
		next, err = ds.Begin(next)
	}
	if err == nil {
		h, err = ds.Swap(ctx, s, h, next)
	}
	if err != nil {
		return x.runs.reload(ctx, h, err)
	}
	return h, true, nil
}

// reload returns the stored state of a draft that could not be applied, because it has expired or
// was rejected or changed while the user was asked.
func (rs *Runs) reload(ctx context.Context, h drafts.Draft, why error) (drafts.Draft, bool, *tool.Error) {
	fault := drafts.Refusal(h, why)
	if _, now, err := rs.o.Drafts.Load(context.WithoutCancel(ctx), h.ID); err == nil {
		h = now
	}
	if ended := h.EndedError(); ended != nil {
		fault = ended
	}
	return h, false, fault
}

// checkDrift compares the state after an approval with that of the evaluation, because much time
// may have passed. It asks policy again only if something has changed. If the draft's effect has
// changed, it shows the draft again, which then waits, and returns an error. Actions that can't
// run any more are left to the gate, which has the reason.
func (x *attempt) checkDrift(ctx context.Context, h drafts.Draft, e *drafts.Evaluation, approved []string) (drafts.Draft, *tool.Error) {
	current, err := x.isCurrent(ctx, *e)
	if err != nil {
		return h, tool.AsError(err)
	}
	if current {
		return h, nil
	}
	// Names were resolved before the question, and are resolved again before each call.
	if *e, err = x.evaluate(ctx, h.Plan, e.Done, withoutReach); err != nil {
		return h, tool.AsError(err)
	}
	e.AllowProblems()
	if e.Select(approved).FirstError() != nil {
		return h, nil
	}
	drift := h.Drift(*e)
	if drift == nil {
		return h, nil
	}
	s, err := x.runs.storage()
	if err != nil {
		return h, tool.AsError(err)
	}
	next, err := x.runs.o.Drafts.Revise(h, *e)
	if err == nil {
		h, err = x.runs.o.Drafts.Swap(ctx, s, h, next)
	}
	if err != nil {
		h, _, fault := x.runs.reload(ctx, h, err)
		return h, fault
	}
	return h, drift.WithHint(h.View().ApproveAgain())
}

// wait ends the run for now. [Runs.Approve] continues it.
func (x *attempt) wait(h drafts.Draft, fault *tool.Error) {
	view := h.View()
	x.report.Status, x.report.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
	x.report.DraftID, x.report.Draft = h.ID, &view
	if x.report.Error = fault; fault == nil {
		x.report.Error = drafts.WaitingError(h)
	}
}

// waitForAnswers stores a goal with open questions.
func (x *attempt) waitForAnswers(ctx context.Context) {
	fault := x.report.Error
	if access.AreOnly(x.report.Interpretation.Questions) { // the words are clear
		fault = nil
	}
	h := drafts.Draft{}
	x.describe(&h.Proposal)
	h, err := x.runs.o.Drafts.Keep(ctx, h, x.id, approval.Terms{Questions: x.report.Interpretation.Questions}, nil)
	if err != nil {
		x.report.fail(ctx, err)
		return
	}
	x.wait(h, fault)
}
