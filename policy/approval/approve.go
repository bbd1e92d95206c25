package approval

import (
	"fmt"
	"slices"
	"time"
)

// Answer is a person's yes. The zero Answer approves nothing.
type Answer struct {
	By         string
	At, Until  time.Time // a zero Until is [TTL] after At
	PlanDigest string    // of the plan that the person saw
	Actions    []string  // none: all that are left ([Draft.Left])
	Confirm    int       // the count, where the Draft asks for one
}

// Approve records a person's yes to actions of the Draft. A late answer is
// [ErrExpired], and the Draft that comes with it is expired. An action that was
// not proposed, was rejected, is done, or depends on one that is neither
// approved with it nor done, is a [RefusedError], as are open questions; a
// missing second confirmation is a [ConfirmError]. After an error nothing is
// approved, not even in part.
func (d Draft) Approve(a Answer) (Draft, error) {
	if late, err := d.late("approve", a.At); err != nil {
		return late, err
	}
	if open := d.Open(); d.State == StateBlocked && len(open) > 0 {
		return d, &RefusedError{ID: d.ID, Code: CodeOpenQuestions, Question: &open[0]}
	}
	ready, err := d.step(StateReady, "")
	if err != nil {
		return d, err
	}
	if err := d.binds(); err != nil { // what was read from somewhere may lack them
		return d, fmt.Errorf("approve draft %q: %w", d.ID, err)
	}
	if a.Until.IsZero() {
		a.Until = a.At.Add(TTL)
	}
	switch {
	case a.By == "":
		return d, fmt.Errorf("approve draft %q: nobody is named who approves", d.ID)
	case !a.Until.After(a.At):
		return d, fmt.Errorf("approve draft %q: the approval ends before it begins", d.ID)
	case a.PlanDigest != d.PlanDigest:
		return d, &RefusedError{ID: d.ID, Code: CodeDrift}
	}
	approved, err := d.chosen(a.Actions)
	if err != nil {
		return d, err
	}
	if d.Confirm > 0 && a.Confirm != d.Confirm {
		return d, &ConfirmError{d.Confirm}
	}
	ready.Approval = &Approval{
		By: a.By, At: a.At, Until: a.Until, PlanDigest: d.PlanDigest, PolicyDigest: d.PolicyDigest,
		Actions: approved, Confirm: d.Confirm,
	}
	return ready.settled(), nil
}

// chosen are the actions of an answer, in the order of the plan.
func (d Draft) chosen(ids []string) ([]Action, error) {
	if err := d.refuse(ids); err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		ids = d.Left()
	}
	if len(ids) == 0 {
		return nil, &RefusedError{ID: d.ID, Code: CodeNothingLeft}
	}
	var approved []Action
	orphans := RefusedError{ID: d.ID, Code: CodeDependency}
	for _, a := range d.Actions {
		if !slices.Contains(ids, a.ID) {
			continue
		}
		approved = append(approved, a)
		for _, need := range a.DependsOn {
			if slices.Contains(ids, need) || slices.Contains(d.Done, need) {
				continue
			}
			orphans.Actions, orphans.Needs = add(orphans.Actions, a.ID), add(orphans.Needs, need)
		}
	}
	if len(orphans.Actions) > 0 {
		return nil, &orphans
	}
	return cloneActions(approved), nil
}

// refuse names the ids that no answer may name.
func (d Draft) refuse(ids []string) error {
	for _, kind := range []struct {
		code Code
		is   func(id string) bool
	}{
		{CodeNotProposed, func(id string) bool { _, known := d.action(id); return !known }},
		{CodeDone, func(id string) bool { return slices.Contains(d.Done, id) }},
		{CodeRejected, func(id string) bool { return slices.Contains(d.Rejected, id) }},
	} {
		var found []string
		for _, id := range ids {
			if kind.is(id) {
				found = add(found, id)
			}
		}
		if len(found) > 0 {
			return &RefusedError{ID: d.ID, Code: kind.code, Actions: found}
		}
	}
	return nil
}

// Reject records a person's no. Without ids the Draft is cancelled. With ids
// these actions are rejected for good: neither they nor what depends on them
// can be approved any more, an approval that there was is lost, and where
// nothing is left the Draft is cancelled. To reject an action twice is no
// error.
func (d Draft) Reject(by string, at time.Time, ids ...string) (Draft, error) {
	if late, err := d.late("reject", at); err != nil {
		return late, err
	}
	if by == "" {
		return d, fmt.Errorf("reject draft %q: nobody is named who rejects", d.ID)
	}
	if len(ids) == 0 {
		return d.Cancel(by + " said no")
	}
	if d.State != StateDraft && d.State != StateReady && d.State != StateBlocked {
		return d, &StepError{d.ID, d.State, StateDraft}
	}
	fresh := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(d.Rejected, id) })
	if err := d.refuse(fresh); err != nil {
		return d, err
	}
	after := d
	after.Rejected = slices.Clone(d.Rejected)
	for _, id := range fresh {
		after.Rejected = add(after.Rejected, id)
	}
	after.Approval = nil
	if len(after.Left()) == 0 {
		after, err := after.Cancel(by + " said no to all that was left")
		return after.settled(), err
	}
	if d.State == StateReady { // it waits anew
		after.State, after.Reason, after.ExpiresAt = StateDraft, "", at.Add(TTL)
	}
	return after.settled(), nil
}

// add appends an id that is not there yet.
func add(ids []string, id string) []string {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(slices.Clip(ids), id)
}
