// Package approval is the life of a Draft: a plan that waits for a person's
// word. It is pure: times and ids come in as values, and every step returns a
// new Draft.
//
// An approval is bound to the digest of the plan, to the digest of the policy
// that judged it, and for each action to its tool, the tool's own digest and
// the hash of its arguments. A call that differs in any of them was not
// approved, and asks again.
package approval

import (
	"fmt"
	"slices"
	"time"

	"errand/planner/plan"
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
	StateApplying: {StateApplied, StateDraft, StateCancelled, StateBlocked},
	StateBlocked:  {StateDraft, StateCancelled, StateExpired},
}

// Final says whether a state is the end of a Draft's life.
func (s State) Final() bool { return len(next[s]) == 0 }

// Action is one action of the plan as the person sees it before approving.
// Digests and hashes are SHA-256 in lower-case hex.
type Action struct {
	ID         string   `json:"action_id"`
	Tool       string   `json:"tool"`
	ToolDigest string   `json:"tool_digest"` // of all that the tool says of itself
	ArgsHash   string   `json:"args_hash"`   // of the canonical arguments
	DependsOn  []string `json:"depends_on,omitempty"`
}

// Terms are what an approval is asked for: a plan, as it was judged.
type Terms struct {
	PlanDigest   string
	PolicyDigest string
	Actions      []Action
	Done         []string        // ids of those whose effect is there already
	Questions    []plan.Question // to be answered before anybody can approve
	Modules      []plan.Module
	Confirm      int // the count that has to be confirmed a second time; 0: none
}

// Approval is a person's yes: to these actions, of this plan, until then.
type Approval struct {
	By           string    `json:"by"`
	At           time.Time `json:"at"`
	Until        time.Time `json:"until"` // the first moment at which it no longer counts
	PlanDigest   string    `json:"plan_digest"`
	PolicyDigest string    `json:"policy_digest"`
	Actions      []Action  `json:"actions"`           // what was approved, as it was shown
	Confirm      int       `json:"confirm,omitempty"` // the count that was confirmed
}

// Draft is a plan that waits for a person's word. It is a value: every step
// returns a new one. The zero Draft allows nothing and can't be approved.
type Draft struct {
	ID           string            `json:"draft_id"`
	PlanDigest   string            `json:"plan_digest"` // empty while questions come before any plan
	PolicyDigest string            `json:"policy_digest,omitempty"`
	Actions      []Action          `json:"actions"`
	Questions    []plan.Question   `json:"questions,omitempty"` // the answered ones, too
	Answers      map[string]string `json:"answers,omitempty"`   // by question id; earlier rounds' are kept
	Stale        bool              `json:"stale,omitempty"`     // an answer came that the plan was not made from
	Rejected     []string          `json:"rejected,omitempty"`  // actions that a person said no to; it only grows
	Done         []string          `json:"done,omitempty"`      // actions whose effect is there; it only grows
	Confirm      int               `json:"confirm,omitempty"`   // the count that has to be confirmed; 0: none
	Modules      []plan.Module     `json:"modules,omitempty"`   // with their statuses of now
	State        State             `json:"state"`
	Reason       string            `json:"reason,omitempty"` // why it is blocked or was cancelled
	CreatedAt    time.Time         `json:"created_at"`
	ExpiresAt    time.Time         `json:"expires_at"` // the first moment at which it can't be approved
	Approval     *Approval         `json:"approval,omitempty"`
}

// Propose makes a Draft of a plan. Every action needs an id of its own, a tool,
// and the digests that an approval binds to. A Draft with questions is BLOCKED
// until [Draft.Answered] and [Draft.Revise] have settled them; it may be
// without a plan.
func Propose(id string, t Terms, now time.Time) (Draft, error) {
	if id == "" {
		return Draft{}, fmt.Errorf("propose a draft: it has no id")
	}
	if err := t.check(); err != nil {
		return Draft{}, fmt.Errorf("propose draft %q: %w", id, err)
	}
	d := Draft{ID: id, State: StateDraft, CreatedAt: now, ExpiresAt: now.Add(TTL)}.with(t)
	if len(d.Open()) > 0 {
		d.State, d.Reason = StateBlocked, reasonOpen
	}
	return d.settled(), nil
}

const reasonOpen = "it has to be answered first"

// with is the Draft of these terms, sharing nothing with them.
func (d Draft) with(t Terms) Draft {
	d.PlanDigest, d.PolicyDigest, d.Confirm = t.PlanDigest, t.PolicyDigest, t.Confirm
	d.Actions = cloneActions(t.Actions)
	for _, id := range t.Done {
		d.Done = add(d.Done, id)
	}
	d.Questions = clone(t.Questions)
	for i := range d.Questions {
		d.Questions[i].Choices = slices.Clone(d.Questions[i].Choices)
	}
	d.Modules = cloneModules(t.Modules)
	return d
}

func cloneActions(actions []Action) []Action {
	out := clone(actions)
	for i := range out {
		out[i].DependsOn = clone(out[i].DependsOn)
	}
	return out
}

// clone copies a list. That of nothing is nil, as after a round trip in JSON.
func clone[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}

// settled is the Draft with the statuses of its modules as they are now.
func (d Draft) settled() Draft {
	d.Modules = d.ModulesNow()
	return d
}

// step moves to a state, with nothing else changed.
func (d Draft) step(to State, reason string) (Draft, error) {
	if !slices.Contains(next[d.State], to) {
		return d, &StepError{d.ID, d.State, to}
	}
	d.State, d.Reason = to, reason
	return d, nil
}

// Open are the questions that nobody has answered yet.
func (d Draft) Open() []plan.Question {
	var open []plan.Question
	for _, q := range d.Questions {
		if _, answered := d.Answers[q.ID]; !answered {
			open = append(open, q)
		}
	}
	return open
}

// Left are the ids of the actions that can still be approved: not done, not
// rejected, and dependent on nothing that was rejected.
func (d Draft) Left() []string {
	dead := slices.Clone(d.Rejected)
	for grown := true; grown; { // ends: every round but the last adds an action
		grown = false
		for _, a := range d.Actions {
			if slices.Contains(dead, a.ID) || slices.Contains(d.Done, a.ID) {
				continue
			}
			if slices.ContainsFunc(a.DependsOn, func(need string) bool {
				return slices.Contains(dead, need) && !slices.Contains(d.Done, need)
			}) {
				dead, grown = append(dead, a.ID), true
			}
		}
	}
	var left []string
	for _, a := range d.Actions {
		if !slices.Contains(dead, a.ID) && !slices.Contains(d.Done, a.ID) {
			left = append(left, a.ID)
		}
	}
	return left
}

func (d Draft) action(id string) (Action, bool) { return find(d.Actions, id) }

func find(actions []Action, id string) (Action, bool) {
	i := slices.IndexFunc(actions, func(a Action) bool { return a.ID == id })
	if i < 0 {
		return Action{}, false
	}
	return actions[i], true
}
