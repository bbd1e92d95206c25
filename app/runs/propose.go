package runs

import (
	"context"
	"time"

	"errand/app/drafts"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// propose stores an evaluated plan as a draft of this run. It does so also where the
// user can be asked at once: the record then says who approved what.
func (x *attempt) propose(ctx context.Context, e drafts.Evaluation, about drafts.Proposal, conflicts func(store.Draft) bool) (drafts.Draft, error) {
	h := drafts.Draft{Plan: e.Plan, Proposal: about}
	x.describe(&h.Proposal)
	h.Proposal.Describe(e)
	return x.runs.o.Drafts.Keep(ctx, h, x.id, e.Terms, conflicts)
}

// proposeOnly stores the plan of the request as a draft, which waits whatever
// policy says of it.
func (x *attempt) proposeOnly(ctx context.Context, p plan.Plan) error {
	edited := x.request.Plan
	e, err := x.evaluate(ctx, p, nil)
	if err != nil {
		x.report.fail(ctx, err)
		return err
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

// describe fills in what was asked for.
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

// byFlag is a user who approved with --yes, as an approval stores it. It is the
// same in every language.
func byFlag(user string) string { return user + " (--yes)" }

// ask shows the draft of an evaluated plan to the user, or takes the approval that was
// given in advance. Approved: the draft is APPLYING and stored so, and e is its newest
// evaluation. Else the draft is as it is stored now, and the error says why it goes no
// further. An approval does not count if what it would do has changed meanwhile.
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

// reload is a draft that could not be applied, as it is stored now: its time is over,
// or somebody rejected or changed it while the user was asked.
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

// checkDrift looks at the present state again after the user approved a draft: much
// time may have passed since it was evaluated and shown. Policy is asked again only if
// something is not as it was. If what the draft would do has changed, it shows that and
// waits; the error says so. What can't run at all is left to the gate, which says why.
func (x *attempt) checkDrift(ctx context.Context, h drafts.Draft, e *drafts.Evaluation, approved []string) (drafts.Draft, *tool.Error) {
	current, err := x.isCurrent(ctx, *e)
	if err != nil {
		return h, tool.AsError(err)
	}
	if current {
		return h, nil
	}
	// Names were resolved before the user was asked, and are again before each call.
	if *e, err = x.evaluate(ctx, h.Plan, e.Done, withoutReach); err != nil {
		return h, tool.AsError(err)
	}
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

// wait ends the run for now: it goes on with [Runs.Approve].
func (x *attempt) wait(h drafts.Draft, fault *tool.Error) {
	view := h.View()
	x.report.Status, x.report.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
	x.report.DraftID, x.report.Draft = h.ID, &view
	if x.report.Error = fault; fault == nil {
		x.report.Error = drafts.WaitingError(h)
	}
}

// waitForAnswers stores a goal whose words were not clear, with its questions.
func (x *attempt) waitForAnswers(ctx context.Context) {
	fault := x.report.Error
	h := drafts.Draft{}
	x.describe(&h.Proposal)
	h, err := x.runs.o.Drafts.Keep(ctx, h, x.id, approval.Terms{Questions: x.report.Interpretation.Questions}, nil)
	if err != nil {
		x.report.fail(ctx, err)
		return
	}
	x.wait(h, fault)
}
