package drafts

import (
	"slices"
	"time"

	"errand/planner/message"
	"errand/policy/approval"
)

// MarkReady is the draft, approved and in state READY. until is when the approval
// ends; the zero time stands for the usual term. The draft of a ConfirmError says in
// Confirm which count it wants.
func (ds *Drafts) MarkReady(h Draft, answer Answer, by string, until time.Time) (Draft, error) {
	next := h
	approved := answer.Actions
	if len(approved) == 0 {
		var err error
		if approved, err = h.SelectRemaining(answer.Confirmed); err != nil {
			approved = h.Remaining()
		}
	}
	next.Draft.Confirm = CountToConfirm(h.Actions, approved)
	userAnswer := approval.Answer{By: by, At: ds.now(), Until: until, PlanDigest: h.PlanDigest, Actions: answer.Actions, Confirm: answer.Confirm, Confirmed: answer.Confirmed}
	var err error
	next.Draft.Draft, err = next.Draft.Approve(userAnswer)
	return next, err
}

// Begin is a READY draft in state APPLYING. Its approval has to be valid now.
func (ds *Drafts) Begin(h Draft) (Draft, error) {
	next := h
	var err error
	next.Draft.Draft, err = h.Draft.Begin(ds.now())
	return next, err
}

// HasApproval reports whether a draft that is ready or being applied has an approval
// that is valid now. One that lasts longer than [approval.TTL] was not given to this
// program.
func (ds *Drafts) HasApproval(h Draft) bool {
	y, now := h.Approval, ds.now()
	return (h.State == approval.StateReady || h.State == approval.StateApplying) &&
		y != nil && !now.Before(y.At) && now.Before(y.Until) && y.Until.Sub(y.At) <= approval.TTL
}

// Settle marks as done what the record says was done, also of a draft whose program
// died while it was applied.
func (ds *Drafts) Settle(h Draft, done []string) (Draft, error) {
	next := h
	var err error
	if h.State == approval.StateApplying {
		done = slices.DeleteFunc(slices.Clone(done), func(id string) bool {
			return !slices.ContainsFunc(h.Approval.Actions, func(b approval.Binding) bool { return b.ActionID == id })
		})
		next.Draft.Draft, err = h.Draft.FinishApply(done, message.New("drafts.program_ended"), ds.now())
		if err == nil && !next.State.Final() { // the count was that of what was approved then
			next.Draft.Confirm = CountRemaining(next.Draft.Draft)
		}
	}
	return next, err
}
