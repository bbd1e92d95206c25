package approval

import (
	"slices"
	"time"

	"errand/planner/message"
)

// Begin starts to apply an approved Draft. It fails if the approval has expired.
func (d Draft) Begin(now time.Time) (Draft, error) {
	if late, err := d.failExpired("apply", now); err != nil {
		return late, err
	}
	if d.State == StateDraft || d.State == StateBlocked || d.State == StateReady && !d.isApprovalValid(now) {
		return d, &RefusedError{ID: d.ID, Code: CodeRequired}
	}
	return d.step(StateApplying, message.Message{})
}

// FinishApply ends an application. Done lists the actions whose effect is in place; reason
// says what went wrong, if anything did. The new state follows from them:
//
//   - BLOCKED with the reason, if approved actions are missing;
//   - DRAFT, if only actions without an approval remain;
//   - APPLIED otherwise.
func (d Draft) FinishApply(done []string, reason message.Message, now time.Time) (Draft, error) {
	if d.State != StateApplying || d.Approval == nil {
		return d, &StepError{d.ID, d.State, StateApplied}
	}
	after := d
	after.Done = slices.Clone(d.Done)
	for _, id := range done {
		if _, approved := d.Approval.binding(id); !approved && !slices.Contains(d.Done, id) {
			return d, &RefusedError{ID: d.ID, Code: CodeNotProposed, Actions: []string{id}}
		}
		after.Done = appendUnique(after.Done, id)
	}
	missing := !containsAll(d.Approval.IDs(), after.Done)
	if missing && reason.IsZero() {
		reason = message.New("approval.incomplete")
	}
	var err error
	switch {
	case missing:
		after, err = after.Block(reason)
	case len(after.Remaining()) > 0:
		after, err = after.step(StateDraft, message.Message{})
		after.Approval = nil
	default:
		after, err = after.step(StateApplied, message.Message{})
	}
	after.ExpiresAt = now.Add(TTL)
	return after.updateModules(), err
}

// Fail ends a blocked Draft if only failed actions and actions that depend on them
// remain. It does not change a Draft with other remaining actions, or without a failed
// one.
func (d Draft) Fail(failed ...string) (Draft, error) {
	rest := d
	rest.Rejected = append(slices.Clone(d.Rejected), failed...)
	if len(failed) == 0 || len(rest.Remaining()) > 0 {
		return d, nil
	}
	return d.step(StateFailed, d.Reason)
}

// Cancel records that the user cancelled the Draft, before or during its application.
func (d Draft) Cancel(reason message.Message) (Draft, error) { return d.step(StateCancelled, reason) }

// Block marks a Draft that can't proceed, for example because an action failed. The Draft
// loses its approval.
func (d Draft) Block(reason message.Message) (Draft, error) {
	blocked, err := d.step(StateBlocked, reason)
	if err != nil {
		return d, err
	}
	blocked.Approval = nil
	return blocked.updateModules(), nil
}

// Reopen makes the Draft wait for approval again, starting now. Use it when the reason for
// a block is gone, or to replace a withdrawn approval. A Draft with open questions, or
// with answers that its plan doesn't reflect yet, is not reopened.
func (d Draft) Reopen(now time.Time) (Draft, error) {
	if late, err := d.failExpired("reopen", now); err != nil {
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
	reopened, err := d.step(StateDraft, message.Message{})
	if err != nil {
		return d, err
	}
	reopened.Approval, reopened.ExpiresAt = nil, now.Add(TTL)
	return reopened.updateModules(), nil
}

// Expire returns the Draft with its state at the given time. A Draft expires if it waited
// too long for an answer, or if its approval ran out before it was applied. An application
// in progress continues; [Draft.Check] compares each of its calls with the end of the
// approval.
func (d Draft) Expire(now time.Time) Draft {
	waited := (d.State == StateDraft || d.State == StateBlocked) && !now.Before(d.ExpiresAt)
	unused := d.State == StateReady && (d.Approval == nil || !now.Before(d.Approval.Until))
	if waited || unused {
		d.State, d.Reason = StateExpired, message.FromError(ErrExpired)
	}
	return d
}

// failExpired returns the expired Draft and the error for a step that came too late.
func (d Draft) failExpired(step string, now time.Time) (Draft, error) {
	after := d.Expire(now)
	if after.State == d.State {
		return d, nil
	}
	return after, message.Error("approval.late_step", "step", step, "id", d.ID, "cause", ErrExpired)
}

// isApprovalValid reports whether the approval is valid at the given time.
func (d Draft) isApprovalValid(now time.Time) bool {
	return d.Approval != nil && !now.Before(d.Approval.At) && now.Before(d.Approval.Until)
}
