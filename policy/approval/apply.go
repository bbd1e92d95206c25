package approval

import (
	"fmt"
	"slices"
	"time"
)

// Begin starts the application of an approved Draft, while its approval lasts.
func (d Draft) Begin(now time.Time) (Draft, error) {
	if late, err := d.late("apply", now); err != nil {
		return late, err
	}
	if d.State == StateDraft || d.State == StateBlocked || d.State == StateReady && !d.lasts(now) {
		return d, &RefusedError{ID: d.ID, Code: CodeRequired}
	}
	return d.step(StateApplying, "")
}

// Applied ends an application, with the ids of all actions whose effect is
// there and, where it did not go well, the reason. What comes next follows from
// them: is something of the approval missing, the Draft is BLOCKED by the
// reason; is something left that was not approved, it is a DRAFT again and
// waits anew; else it is APPLIED.
func (d Draft) Applied(done []string, reason string, now time.Time) (Draft, error) {
	if d.State != StateApplying || d.Approval == nil {
		return d, &StepError{d.ID, d.State, StateApplied}
	}
	after := d
	after.Done = slices.Clone(d.Done)
	for _, id := range done {
		if _, approved := find(d.Approval.Actions, id); !approved && !slices.Contains(d.Done, id) {
			return d, &RefusedError{ID: d.ID, Code: CodeNotProposed, Actions: []string{id}}
		}
		after.Done = add(after.Done, id)
	}
	missing := slices.ContainsFunc(d.Approval.Actions, func(a Action) bool { return !slices.Contains(after.Done, a.ID) })
	if missing && reason == "" {
		reason = "not all that was approved was carried out"
	}
	var err error
	switch {
	case missing:
		after, err = after.Block(reason)
	case len(after.Left()) > 0:
		after, err = after.step(StateDraft, "")
		after.Approval = nil
	default:
		after, err = after.step(StateApplied, "")
	}
	after.ExpiresAt = now.Add(TTL)
	return after.settled(), err
}

// Cancel is a person's no, before or during the application.
func (d Draft) Cancel(reason string) (Draft, error) { return d.step(StateCancelled, reason) }

// Block says that the Draft can't go on: a parent isn't approved, an action
// failed. What was approved is no longer.
func (d Draft) Block(reason string) (Draft, error) {
	blocked, err := d.step(StateBlocked, reason)
	if err != nil {
		return d, err
	}
	blocked.Approval = nil
	return blocked.settled(), nil
}

// Reopen asks again: after the reason for a block is gone, or in place of an
// approval that was taken back. The Draft waits anew from now on. With open
// questions, or answers that its plan was not made from, it stays as it is.
func (d Draft) Reopen(now time.Time) (Draft, error) {
	if late, err := d.late("reopen", now); err != nil {
		return late, err
	}
	if d.State != StateReady && d.State != StateBlocked {
		return d, &StepError{d.ID, d.State, StateDraft}
	}
	if open := d.Open(); len(open) > 0 {
		return d, &RefusedError{ID: d.ID, Code: CodeOpenQuestions, Question: &open[0]}
	}
	if d.Stale {
		return d, &RefusedError{ID: d.ID, Code: CodeUnread}
	}
	again, err := d.step(StateDraft, "")
	if err != nil {
		return d, err
	}
	again.Approval, again.ExpiresAt = nil, now.Add(TTL)
	return again.settled(), nil
}

// Expire returns the Draft as it stands at a time: expired where it waited too
// long for an answer, or its approval for being applied. A running application
// goes on; its calls are held against the approval's end by [Draft.Check].
func (d Draft) Expire(now time.Time) Draft {
	waited := (d.State == StateDraft || d.State == StateBlocked) && !now.Before(d.ExpiresAt)
	unused := d.State == StateReady && (d.Approval == nil || !now.Before(d.Approval.Until))
	if waited || unused {
		d.State, d.Reason = StateExpired, ErrExpired.Error()
	}
	return d
}

// late is the Draft as expired by a step that came too late, and the error.
func (d Draft) late(step string, now time.Time) (Draft, error) {
	after := d.Expire(now)
	if after.State == d.State {
		return d, nil
	}
	return after, fmt.Errorf("%s draft %q: %w", step, d.ID, ErrExpired)
}

// lasts reports whether the approval counts at a time.
func (d Draft) lasts(now time.Time) bool {
	return d.Approval != nil && !now.Before(d.Approval.At) && now.Before(d.Approval.Until)
}
