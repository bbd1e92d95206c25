package approval

import (
	"slices"
	"time"

	"errand/planner/message"
)

// Answer is the user's approval. The zero Answer approves nothing.
type Answer struct {
	By         string
	At, Until  time.Time // a zero Until means [TTL] after At
	PlanDigest string    // the digest of the plan that was shown
	Actions    []string  // if empty: all remaining actions ([Draft.Remaining]), except those that need a confirmation of their own and lack it
	Confirm    int       // the confirmed count, if the Draft requires one
	Confirmed  []string  // destructive actions with a confirmation of their own ([Draft.NeedsConfirmation])
}

// Approve records the user's approval of actions. It approves all of them or none.
//
// If the answer is late, the error is [ErrExpired] and the returned Draft is expired.
// The error is a [RefusedError] if a question is open, or if an action was not
// proposed, was rejected, is done, or depends on one that is neither approved along
// with it nor done. It is a [ConfirmError] if the second confirmation is missing, and
// an [UnconfirmedError] if an action needs its own.
func (d Draft) Approve(a Answer) (Draft, error) {
	if late, err := d.failExpired("approve", a.At); err != nil {
		return late, err
	}
	if open := d.Open(); d.State == StateBlocked && len(open) > 0 {
		return d, &RefusedError{ID: d.ID, Code: CodeOpenQuestions, Question: &open[0]}
	}
	ready, err := d.step(StateReady, message.Message{})
	if err != nil {
		return d, err
	}
	if err := d.checkBinding(); err != nil { // A Draft from storage may lack them.
		return d, message.Error("approval.approve", "id", d.ID, "cause", err)
	}
	if a.Until.IsZero() {
		a.Until = a.At.Add(TTL)
	}
	switch {
	case a.By == "":
		return d, message.Error("approval.no_approver", "id", d.ID)
	case !a.Until.After(a.At):
		return d, message.Error("approval.ends_before_start", "id", d.ID)
	case a.PlanDigest != d.PlanDigest:
		return d, &RefusedError{ID: d.ID, Code: CodeDrift}
	}
	approved, err := d.selectActions(a.Actions, a.Confirmed)
	if err != nil {
		return d, err
	}
	if d.Confirm > 0 && a.Confirm != d.Confirm {
		confirm := &ConfirmError{Want: d.Confirm}
		if len(a.Actions) == 0 {
			confirm.Without = d.Unconfirmed(d.Remaining(), a.Confirmed)
		}
		return d, confirm
	}
	ready.ExpiresAt = a.Until
	ready.Approval = &Approval{
		By: a.By, At: a.At, Until: a.Until, PlanDigest: d.PlanDigest, PolicyDigest: d.PolicyDigest,
		Actions: approved, Confirm: d.Confirm,
	}
	for _, id := range ready.Approval.IDs() {
		if d.NeedsConfirmation(id) {
			ready.Approval.Confirmed = append(ready.Approval.Confirmed, id)
		}
	}
	return ready.updateModules(), nil
}

// selectActions returns the actions of an answer, in the order of the plan.
func (d Draft) selectActions(ids, confirmed []string) ([]Binding, error) {
	err := d.CheckActions(ids)
	if err == nil && len(ids) == 0 {
		ids, err = d.SelectRemaining(confirmed)
	}
	switch {
	case err != nil:
		return nil, err
	case len(ids) == 0:
		return nil, &RefusedError{ID: d.ID, Code: CodeNothingLeft}
	}
	if unconfirmed := d.Unconfirmed(ids, confirmed); len(unconfirmed) > 0 {
		return nil, &UnconfirmedError{unconfirmed}
	}
	var approved []Binding
	orphans := RefusedError{ID: d.ID, Code: CodeDependency}
	for _, a := range d.Actions {
		if !slices.Contains(ids, a.ActionID) {
			continue
		}
		approved = append(approved, a.binding())
		for _, need := range a.DependsOn {
			if slices.Contains(ids, need) || slices.Contains(d.Done, need) {
				continue
			}
			orphans.Actions, orphans.Needs = appendUnique(orphans.Actions, a.ActionID), appendUnique(orphans.Needs, need)
		}
	}
	if len(orphans.Actions) > 0 {
		return nil, &orphans
	}
	return approved, nil
}

// CheckActions returns a [RefusedError] for ids that no answer may contain: the draft has no
// such action, or it is done or rejected.
func (d Draft) CheckActions(ids []string) error {
	for _, kind := range []struct {
		code     Code
		contains func(id string) bool
	}{
		{CodeNotProposed, func(id string) bool { _, known := d.action(id); return !known }},
		{CodeDone, func(id string) bool { return slices.Contains(d.Done, id) }},
		{CodeRejected, func(id string) bool { return slices.Contains(d.Rejected, id) }},
	} {
		var found []string
		for _, id := range ids {
			if kind.contains(id) {
				found = appendUnique(found, id)
			}
		}
		if len(found) > 0 {
			return &RefusedError{ID: d.ID, Code: kind.code, Actions: found}
		}
	}
	return nil
}

// Reject records the user's rejection. Without ids it cancels the Draft. With ids it
// rejects these actions permanently: they and their dependants can't be approved any
// more. An earlier approval is lost, and the Draft is cancelled if nothing remains.
// Rejecting an action twice has no further effect.
func (d Draft) Reject(by string, at time.Time, ids ...string) (Draft, error) {
	if late, err := d.failExpired("reject", at); err != nil {
		return late, err
	}
	if by == "" {
		return d, message.Error("approval.no_rejecter", "id", d.ID)
	}
	if len(ids) == 0 {
		return d.Cancel(message.New("approval.rejected_by", "by", by))
	}
	if d.State != StateDraft && d.State != StateReady && d.State != StateBlocked {
		return d, &StepError{d.ID, d.State, StateDraft}
	}
	fresh := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(d.Rejected, id) })
	if err := d.CheckActions(fresh); err != nil {
		return d, err
	}
	after := d
	after.Rejected = slices.Clone(d.Rejected)
	for _, id := range fresh {
		after.Rejected = appendUnique(after.Rejected, id)
	}
	after.Approval = nil
	if len(after.Remaining()) == 0 {
		after, err := after.Cancel(message.New("approval.rest_rejected_by", "by", by))
		return after.updateModules(), err
	}
	if d.State == StateReady { // The Draft waits for approval again.
		after.State, after.Reason, after.ExpiresAt = StateDraft, message.Message{}, at.Add(TTL)
	}
	return after.updateModules(), nil
}

// appendUnique appends an id unless ids contains it.
func appendUnique(ids []string, id string) []string {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(slices.Clip(ids), id)
}
