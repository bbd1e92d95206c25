// Package approval is the life of a Draft: a plan that waits for a person's
// word. It is pure: times and ids come in as values, and every step returns a
// new Draft.
//
// An approval is bound to the digest of the plan and to the hash of each
// action's arguments. A call that differs in any of them was not approved,
// and asks again.
package approval

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// TTL is how long a Draft waits for an answer, and how long an approval lasts
// that names no end of its own.
const TTL = 10 * time.Minute

// State is where a Draft is in its life. The zero State is none and allows
// nothing.
type State string

// States. Applied, Cancelled and Expired are final.
const (
	StateDraft     State = "DRAFT"     // waits for a person
	StateReady     State = "READY"     // approved
	StateApplying  State = "APPLYING"  // its actions are being carried out
	StateApplied   State = "APPLIED"   // carried out
	StateCancelled State = "CANCELLED" // a person said no, or stopped it
	StateExpired   State = "EXPIRED"   // nobody answered in time
	StateBlocked   State = "BLOCKED"   // can't go on until something else is settled
)

// next are the steps that a state may take.
var next = map[State][]State{
	StateDraft:    {StateReady, StateCancelled, StateExpired, StateBlocked},
	StateReady:    {StateApplying, StateDraft, StateCancelled, StateExpired, StateBlocked},
	StateApplying: {StateApplied, StateCancelled, StateBlocked},
	StateBlocked:  {StateDraft, StateCancelled, StateExpired},
}

// Final says whether a state is the end of a Draft's life.
func (s State) Final() bool { return len(next[s]) == 0 }

// Action is one action of the plan as the person sees it before approving.
type Action struct {
	ID       string `json:"action_id"`
	Tool     string `json:"tool"`
	ArgsHash string `json:"args_hash"` // SHA-256 of the canonical arguments, in hex
}

// Approval is a person's yes: to these actions, of this plan, until then.
type Approval struct {
	By         string    `json:"by"`
	At         time.Time `json:"at"`
	Until      time.Time `json:"until"` // the first moment at which it no longer counts
	PlanDigest string    `json:"plan_digest"`
	Actions    []Action  `json:"actions"` // what was approved, arguments included
}

// Draft is a plan that waits for a person's word. It is a value: every step
// returns a new one. The zero Draft allows nothing and can't be approved.
type Draft struct {
	ID         string    `json:"draft_id"`
	PlanDigest string    `json:"plan_digest"`
	Actions    []Action  `json:"actions"`
	State      State     `json:"state"`
	Reason     string    `json:"reason,omitempty"` // why it is blocked or was cancelled
	CreatedAt  time.Time `json:"created_at"`
	ExpiresAt  time.Time `json:"expires_at"` // the first moment at which it can't be approved
	Approval   *Approval `json:"approval,omitempty"`
}

// Propose makes a Draft of a plan's actions. Every action needs an id of its
// own, a tool and the hash of its arguments.
func Propose(id, planDigest string, actions []Action, now time.Time) (Draft, error) {
	var errs []error
	if id == "" {
		errs = append(errs, errors.New("it has no id"))
	}
	if planDigest == "" {
		errs = append(errs, errors.New("it names no plan"))
	}
	if len(actions) == 0 {
		errs = append(errs, errors.New("it has no actions"))
	}
	seen := map[string]bool{}
	for i, a := range actions {
		switch {
		case a.ID == "" || a.Tool == "":
			errs = append(errs, fmt.Errorf("actions[%d] has no id or no tool", i))
		case seen[a.ID]:
			errs = append(errs, fmt.Errorf("actions[%d]: the id %q is there twice", i, a.ID))
		case !isHash(a.ArgsHash):
			errs = append(errs, fmt.Errorf("action %q: %q is no SHA-256 of its arguments", a.ID, a.ArgsHash))
		}
		seen[a.ID] = true
	}
	if len(errs) > 0 {
		return Draft{}, fmt.Errorf("propose draft %q: %w", id, errors.Join(errs...))
	}
	return Draft{
		ID: id, PlanDigest: planDigest, Actions: slices.Clone(actions), State: StateDraft,
		CreatedAt: now, ExpiresAt: now.Add(TTL),
	}, nil
}

func isHash(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// StepError is a step that a Draft's state doesn't allow.
type StepError struct {
	ID       string
	From, To State
}

func (e *StepError) Error() string {
	return fmt.Sprintf("move draft %q from %s to %s: that step does not exist", e.ID, e.From, e.To)
}

// ErrExpired is an answer that came too late.
var ErrExpired = errors.New("nobody answered in time")

// step moves to a state, with nothing else changed.
func (d Draft) step(to State, reason string) (Draft, error) {
	if !slices.Contains(next[d.State], to) {
		return d, &StepError{d.ID, d.State, to}
	}
	d.State, d.Reason = to, reason
	return d, nil
}
