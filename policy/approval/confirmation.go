package approval

import (
	"slices"

	"errand/planner/message"
)

// UnconfirmedError is returned for an approval that covers destructive actions without
// their own confirmation.
type UnconfirmedError struct {
	Actions []string // ids, in the order of the plan
}

func (e *UnconfirmedError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *UnconfirmedError) AsMessage() message.Message {
	return message.New("approval.unconfirmed", "actions", e.Actions)
}

// ConfirmedIDs returns the ids of the actions that have a confirmation of their own,
// nil without an approval.
func (a *Approval) ConfirmedIDs() []string {
	if a == nil {
		return nil
	}
	return a.Confirmed
}

// NeedsConfirmation reports whether an action needs a confirmation of its own besides
// the approval: it is destructive, and the plan has other actions.
func (d Draft) NeedsConfirmation(id string) bool {
	a, known := d.action(id)
	return known && a.Destructive && len(d.Actions) > 1
}

// Unconfirmed returns the ids of the given actions that need a confirmation of their
// own and are not in confirmed, in the order of the plan.
func (d Draft) Unconfirmed(actions, confirmed []string) []string {
	var out []string
	for _, a := range d.Actions {
		if slices.Contains(actions, a.ActionID) && !slices.Contains(confirmed, a.ActionID) && d.NeedsConfirmation(a.ActionID) {
			out = append(out, a.ActionID)
		}
	}
	return out
}

// SelectRemaining returns the actions that an answer approves if it names none: all remaining
// ones, except those without their own confirmation and those that depend on them. The error
// says that nothing else is left.
func (d Draft) SelectRemaining(confirmed []string) ([]string, error) {
	remaining := d.Remaining()
	unconfirmed := d.Unconfirmed(remaining, confirmed)
	if len(unconfirmed) == 0 {
		return remaining, nil
	}
	d.Rejected = slices.Concat(d.Rejected, unconfirmed)
	if remaining = d.Remaining(); len(remaining) == 0 {
		return nil, &UnconfirmedError{unconfirmed}
	}
	return remaining, nil
}
