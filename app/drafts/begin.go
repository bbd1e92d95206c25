package drafts

import (
	"slices"
	"time"

	"errand/planner/message"
	"errand/policy/approval"
)

// Begin is the draft, approved and in state APPLYING. until is when the approval
// ends; the zero time stands for the usual term.
func (ds *Drafts) Begin(h Draft, answer Answer, by string, until time.Time) (Draft, error) {
	next := h
	now := ds.now()
	if len(answer.Actions) > 0 { // fewer are approved than wait
		next.Draft.Confirm = CountToConfirm(h.Actions, answer.Actions)
	}
	yes := approval.Answer{By: by, At: now, Until: until, PlanDigest: h.PlanDigest, Actions: answer.Actions, Confirm: answer.Confirm, Confirmed: answer.Confirmed}
	approved, err := next.Draft.Approve(yes)
	if err == nil {
		next.Draft.Draft, err = approved.Begin(now)
	}
	return next, err
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
		next.Draft.Draft, err = h.Draft.Applied(done, message.New("drafts.program_ended"), ds.now())
		if err == nil && !next.State.Final() { // the count was that of what was approved then
			next.Draft.Confirm = CountToConfirm(h.Actions, next.Left())
		}
	}
	return next, err
}
