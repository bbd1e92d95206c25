package approval

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Approve records a person's yes to actions of the Draft, all of them where
// none is named. digest is that of the plan which the person saw. Until may be
// zero: the approval then lasts for [TTL]. An answer at or after ExpiresAt is
// [ErrExpired], and the Draft that comes with it is.
func (d Draft) Approve(by, digest string, at, until time.Time, actions ...string) (Draft, error) {
	if d.State == StateDraft && !at.Before(d.ExpiresAt) {
		return d.Expire(at), fmt.Errorf("approve draft %q: %w", d.ID, ErrExpired)
	}
	if until.IsZero() {
		until = at.Add(TTL)
	}
	switch {
	case by == "":
		return d, fmt.Errorf("approve draft %q: nobody is named who approves", d.ID)
	case digest != d.PlanDigest:
		return d, fmt.Errorf("approve draft %q: the plan that was shown is another one", d.ID)
	case !until.After(at):
		return d, fmt.Errorf("approve draft %q: the approval ends before it begins", d.ID)
	}
	approved := slices.Clone(d.Actions)
	if len(actions) > 0 {
		approved = nil
		for _, id := range actions {
			i := slices.IndexFunc(d.Actions, func(a Action) bool { return a.ID == id })
			if i < 0 {
				return d, fmt.Errorf("approve draft %q: it has no action %q", d.ID, id)
			}
			if !slices.Contains(approved, d.Actions[i]) {
				approved = append(approved, d.Actions[i])
			}
		}
	}
	ready, err := d.step(StateReady, "")
	if err != nil {
		return d, err
	}
	ready.Approval = &Approval{By: by, At: at, Until: until, PlanDigest: digest, Actions: approved}
	return ready, nil
}

// Begin starts the application of an approved Draft.
func (d Draft) Begin(now time.Time) (Draft, error) {
	if late := d.Expire(now); late.State == StateExpired && d.State == StateReady {
		return late, fmt.Errorf("apply draft %q: %w", d.ID, ErrExpired)
	}
	return d.step(StateApplying, "")
}

// Finish ends an application that went well.
func (d Draft) Finish() (Draft, error) { return d.step(StateApplied, "") }

// Cancel is a person's no, before or during the application.
func (d Draft) Cancel(reason string) (Draft, error) { return d.step(StateCancelled, reason) }

// Block says that the Draft can't go on: a parent isn't approved, a question
// is open, an action failed. What was approved is no longer.
func (d Draft) Block(reason string) (Draft, error) {
	blocked, err := d.step(StateBlocked, reason)
	if err == nil {
		blocked.Approval = nil
	}
	return blocked, err
}

// Reopen asks again: after the reason for a block is gone, or in place of an
// approval that was taken back. The Draft waits anew from now on.
func (d Draft) Reopen(now time.Time) (Draft, error) {
	again, err := d.step(StateDraft, "")
	if err == nil {
		again.Approval, again.ExpiresAt = nil, now.Add(TTL)
	}
	return again, err
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

func (d Draft) lasts(now time.Time) bool {
	return d.Approval != nil && !now.Before(d.Approval.At) && now.Before(d.Approval.Until)
}

// Validate says what is wrong with a Draft that was read from somewhere.
func (d Draft) Validate() error {
	if _, known := next[d.State]; !known && !d.State.known() {
		return fmt.Errorf("read draft %q: %q is no state", d.ID, d.State)
	}
	if (d.State == StateReady || d.State == StateApplying || d.State == StateApplied) && d.Approval == nil {
		return fmt.Errorf("read draft %q: it is %s without an approval", d.ID, d.State)
	}
	if d.Approval != nil && d.Approval.PlanDigest != d.PlanDigest {
		return errors.New("read draft " + d.ID + ": its approval is for another plan")
	}
	return nil
}

func (s State) known() bool { return s == StateApplied || s == StateCancelled || s == StateExpired }
