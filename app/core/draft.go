package core

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// propose keeps a judged plan as a draft of this run. It is kept also where the
// answer is at hand: who approved what is then on record.
func (x *execution) propose(ctx context.Context, j judged, about proposal) (held, error) {
	a := x.app
	h := held{plan: j.plan, proposal: about}
	x.describe(&h.proposal)
	h.proposal.Actions, h.proposal.Risks, h.proposal.Grants = j.actions, j.plan.Content().Risks, j.rests
	return a.keepNew(ctx, h, x.id, j.terms, x.inTheWay)
}

// describe fills in what was said, as far as nobody did.
func (x *execution) describe(p *proposal) {
	p.Words, p.Voice = x.request.words(), x.request.Voice
	if in := x.report.Interpretation; in != nil {
		p.Language = in.Language
	}
	p.PlanID = plan.ID(plan.UserGoal, x.request.words(), p.Language)
	if x.request.Recipe != nil {
		p.Recipe, p.Params = x.app.recipeCalled(x.request.Recipe.Ref), x.request.Recipe.Values
	}
	if r := x.report.Result; r != nil && x.request.Recipe != nil {
		if given, ok := r.Plan(); ok {
			p.PlanID = given.ID()
		}
	}
	if r := x.report.Result; r != nil && r.Status() == plan.Partial {
		p.Part, p.Unmet = r.Reason(), r.Unmet()
	}
}

func (a *App) keepNew(ctx context.Context, h held, runID string, t approval.Terms, inTheWay func(store.Draft) bool) (held, error) {
	d, err := approval.Propose(a.newID(), t, a.now())
	if err != nil {
		return h, fmt.Errorf("draft the plan: %w", err)
	}
	h.Draft = store.Draft{Draft: d, RunID: runID}
	h.proposal.Demo = a.o.Demo
	s, err := a.storage()
	if err != nil {
		return h, err
	}
	packed, err := a.pack(h)
	if err != nil {
		return h, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := s.SaveDraftUnless(ctx, packed, inTheWay); err != nil {
		return h, err
	}
	h.Draft = packed
	return h, nil
}

// revise puts what holds now in place of what was shown: the approval is lost,
// and the draft waits anew.
func (x *execution) revise(h held, j judged) (held, error) {
	next := h
	next.plan = j.plan
	next.proposal.Actions, next.proposal.Risks, next.proposal.Grants = j.actions, j.plan.Content().Risks, j.rests
	var err error
	next.Draft.Draft, err = h.Draft.Revise(j.terms, x.app.now())
	return next, err
}

// ask puts the draft before a person, or takes the yes that was given in
// advance. Approved: the draft is APPLYING, by whom it says, and is kept so.
// Else it is as it is kept now, and the fault says why it goes no further. A yes
// to what is another thing by then counts for nothing.
func (x *execution) ask(ctx context.Context, h held, done []string) (held, bool, *tool.Error) {
	x.tell("draft", h.view())
	answer, by := Answer{Yes: true, Confirm: h.Confirm}, x.app.user()
	switch {
	case x.request.Yes:
		by += " by --yes"
	case x.request.Approve != nil:
		var err error
		if answer, err = x.request.Approve(ctx, h.view()); err != nil {
			e := waiting(h)
			e.Message += " (asking failed: " + err.Error() + ")"
			return h, false, e
		}
	default:
		return h, false, nil
	}
	if ctx.Err() != nil {
		return h, false, nil
	}
	s, err := x.app.storage()
	if err != nil {
		return h, false, tool.AsError(err)
	}
	next := h
	if !answer.Yes {
		if next.Draft.Draft, err = h.Draft.Reject(by, x.app.now()); err == nil {
			h, err = x.app.swap(ctx, s, h, next)
		}
		if err != nil {
			return x.lookAgain(ctx, h, err)
		}
		return h, false, tool.Errorf(tool.PolicyDenied, "rejected", "%s did not approve it", by)
	}
	if !x.request.Yes { // which was given to whatever is there
		var fault *tool.Error
		if h, fault = x.stillShown(ctx, h, answer.Actions, done); fault != nil {
			return h, false, fault
		}
	}
	next, err = x.app.begin(h, answer, by)
	if err == nil {
		h, err = x.app.swap(ctx, s, h, next)
	}
	if err != nil {
		return x.lookAgain(ctx, h, err)
	}
	return h, true, nil
}

// lookAgain is a draft that could not be taken on, as it stands by now: its time
// is over, or somebody rejected or changed it while the person was asked.
func (x *execution) lookAgain(ctx context.Context, h held, why error) (held, bool, *tool.Error) {
	fault := refusal(h, why)
	if _, now, err := x.app.held(context.WithoutCancel(ctx), h.ID); err == nil {
		h = now
	}
	if over := h.over(); over != nil {
		fault = over
	}
	return h, false, fault
}

// begin is the draft approved and about to be carried out.
func (a *App) begin(h held, answer Answer, by string) (held, error) {
	next := h
	now := a.now()
	if len(answer.Actions) > 0 { // fewer are approved than wait
		next.Draft.Confirm = toConfirm(h.proposal.Actions, answer.Actions)
	}
	yes := approval.Answer{By: by, At: now, PlanDigest: h.PlanDigest, Actions: answer.Actions, Confirm: answer.Confirm}
	if answer.given != nil { // it ends when it would have ended
		yes.Until = answer.given.Until
	}
	approved, err := next.Draft.Approve(yes)
	if err == nil {
		next.Draft.Draft, err = approved.Begin(now)
	}
	return next, err
}

// waits ends the run for now: it goes on with [App.Approve].
func (x *execution) waits(h held, fault *tool.Error) {
	view := h.view()
	x.report.Status, x.report.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
	x.report.DraftID, x.report.Draft = h.ID, &view
	if x.report.Error = fault; fault == nil {
		x.report.Error = waiting(h)
	}
}

func waiting(h held) *tool.Error {
	e := tool.Errorf(tool.PolicyDenied, "needs_approval", "draft %s waits for your approval", h.ID)
	if h.proposal.Part != "" {
		e = tool.Errorf(tool.PolicyDenied, "partial", "%s Draft %s waits for your approval of the part that can be done.", h.proposal.Part, h.ID)
	}
	if h.view().NeedsSecrets() {
		return e.WithHint("its secrets are not kept: approve it before this program ends, or run it again with --yes or where you can be asked")
	}
	return e.WithHint("errand approve %s", h.ID)
}

// waitForAnswers keeps a goal whose words were not clear, with its questions.
func (x *execution) waitForAnswers(ctx context.Context) {
	fault := x.report.Error
	h := held{}
	x.describe(&h.proposal)
	h, err := x.app.keepNew(ctx, h, x.id, approval.Terms{Questions: x.report.Interpretation.Questions}, nil)
	if err != nil {
		x.fail(ctx, err)
		return
	}
	x.waits(h, fault)
}

// refusal puts approval's typed errors into the form that crosses the edge.
func refusal(h held, err error) *tool.Error {
	var confirm *approval.ConfirmError
	var refused *approval.RefusedError
	switch {
	case errors.Is(err, approval.ErrExpired):
		h.State = approval.StateExpired
		return h.over()
	case errors.As(err, &confirm):
		return tool.Errorf(tool.PolicyDenied, CodeConfirm, "it changes %d things at once, which needs a second confirmation", confirm.Want).
			WithHint("errand approve %s --confirm %d", h.ID, confirm.Want)
	case errors.As(err, &refused):
		class := tool.PolicyDenied
		switch refused.Code {
		case approval.CodeNotProposed, approval.CodeNoQuestion, approval.CodeNotAChoice, approval.CodeDone:
			class = tool.ValidationError
		}
		e := tool.Errorf(class, string(refused.Code), "%v", refused)
		if refused.Code == approval.CodeDependency {
			e = e.WithHint("approve %s with it", strings.Join(refused.Needs, ", "))
		}
		return e
	}
	return tool.AsError(err)
}
