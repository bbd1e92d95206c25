// Package approval implements the life cycle of a Draft, a plan that waits for the user's
// approval. The package has no side effects: times and ids are parameters, and every step
// returns a new Draft.
//
// An approval binds to the digest of the plan, to the digest of the policy that evaluated
// it, and for each action to the tool, the tool's digest and the hash of the arguments. A
// call that differs in any of them needs another approval.
package approval

import (
	"slices"
	"time"

	"errand/planner/message"
	"errand/planner/plan"
)

// TTL is how long a Draft waits for an answer. It is also the default lifetime of an
// approval.
const TTL = 10 * time.Minute

// State is a state in the life cycle of a Draft. The zero State is invalid and allows
// nothing.
type State string

// States. Applied, Failed, Cancelled and Expired are final.
const (
	StateDraft     State = "DRAFT"     // waits for approval
	StateReady     State = "READY"     // approved
	StateApplying  State = "APPLYING"  // its actions are running
	StateApplied   State = "APPLIED"   // finished
	StateFailed    State = "FAILED"    // only failed actions and actions that depend on them remain
	StateCancelled State = "CANCELLED" // rejected or stopped by the user
	StateExpired   State = "EXPIRED"   // not answered in time
	StateBlocked   State = "BLOCKED"   // can't proceed until a problem is solved
)

// nextStates maps each state to the states that may follow it.
var nextStates = map[State][]State{
	StateDraft:    {StateReady, StateCancelled, StateExpired, StateBlocked},
	StateReady:    {StateApplying, StateDraft, StateCancelled, StateExpired, StateBlocked},
	StateApplying: {StateApplied, StateDraft, StateCancelled, StateBlocked},
	StateBlocked:  {StateDraft, StateFailed, StateCancelled, StateExpired},
}

// Final reports whether a Draft in this state can't change any more.
func (s State) Final() bool { return len(nextStates[s]) == 0 }

// Terms describe what the user is asked to approve: a plan and its evaluation.
type Terms struct {
	PlanDigest   string
	PolicyDigest string
	Actions      []Action
	Done         []string        // ids of actions whose effect is already in place
	Questions    []plan.Question // questions to answer before the plan can be approved
	Modules      []plan.Module
	Confirm      int // the count to confirm a second time; 0 if none is needed
}

// Approval records that the user approved these actions of this plan, until a given
// time.
type Approval struct {
	By           string    `json:"by"`
	At           time.Time `json:"at"`
	Until        time.Time `json:"until"` // exclusive: the approval is invalid from this moment
	PlanDigest   string    `json:"plan_digest"`
	PolicyDigest string    `json:"policy_digest"`
	Actions      []Binding `json:"actions"`             // the approved actions
	Confirm      int       `json:"confirm,omitempty"`   // the count that was confirmed
	Confirmed    []string  `json:"confirmed,omitempty"` // ids of the destructive actions with a confirmation of their own
}

// Draft is a plan that waits for approval. It is a value: every step returns a new one.
// The zero Draft allows nothing and can't be approved.
type Draft struct {
	ID           string            `json:"draft_id"`
	PlanDigest   string            `json:"plan_digest"` // empty while questions must be answered before planning
	PolicyDigest string            `json:"policy_digest,omitempty"`
	Actions      []Action          `json:"actions"`
	Questions    []plan.Question   `json:"questions,omitempty"` // including answered ones
	Answers      map[string]string `json:"answers,omitempty"`   // by question id, including earlier rounds
	Stale        bool              `json:"stale,omitempty"`     // the plan does not reflect the latest answer yet
	Rejected     []string          `json:"rejected,omitempty"`  // ids of rejected actions; entries are only added
	Done         []string          `json:"done,omitempty"`      // ids of actions whose effect is in place; entries are only added
	Confirm      int               `json:"confirm,omitempty"`   // the count to confirm; 0 if none is needed
	Modules      []plan.Module     `json:"modules,omitempty"`   // with their current statuses
	State        State             `json:"state"`
	Reason       message.Message   `json:"reason,omitzero"` // why the Draft is blocked or was cancelled
	CreatedAt    time.Time         `json:"created_at"`
	ExpiresAt    time.Time         `json:"expires_at"` // exclusive: the Draft can't be approved or begun from this moment
	Approval     *Approval         `json:"approval,omitempty"`
}

// Propose makes a Draft from a plan. Every action needs a unique id, a tool and the
// digests that an approval binds to. A Draft with questions is BLOCKED until
// [Draft.Answer] and [Draft.Revise] have resolved them; it doesn't need a plan.
func Propose(id string, t Terms, now time.Time) (Draft, error) {
	if id == "" {
		return Draft{}, message.Error("approval.propose_without_id")
	}
	if err := t.check(); err != nil {
		return Draft{}, message.Error("approval.propose", "id", id, "cause", err)
	}
	d := Draft{ID: id, State: StateDraft, CreatedAt: now, ExpiresAt: now.Add(TTL)}.replaceTerms(t)
	if len(d.Open()) > 0 {
		d.State, d.Reason = StateBlocked, reasonOpen
	}
	return d.updateModules(), nil
}

var reasonOpen = message.New("approval.answer_first")

// replaceTerms returns the Draft with a deep copy of the terms.
func (d Draft) replaceTerms(t Terms) Draft {
	d.PlanDigest, d.PolicyDigest, d.Confirm = t.PlanDigest, t.PolicyDigest, t.Confirm
	d.Actions = cloneActions(t.Actions)
	for _, id := range t.Done {
		d.Done = appendUnique(d.Done, id)
	}
	d.Questions = clone(t.Questions)
	for i := range d.Questions {
		d.Questions[i].Choices = slices.Clone(d.Questions[i].Choices)
	}
	d.Modules = cloneModules(t.Modules)
	return d
}

// clone copies a list. It returns nil for an empty list, as a JSON round trip does.
func clone[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}

// updateModules returns the Draft with the current statuses of its modules.
func (d Draft) updateModules() Draft {
	d.Modules = d.ModulesNow()
	return d
}

// step moves the Draft to another state and changes nothing else.
func (d Draft) step(to State, reason message.Message) (Draft, error) {
	if !slices.Contains(nextStates[d.State], to) {
		return d, &StepError{d.ID, d.State, to}
	}
	d.State, d.Reason = to, reason
	return d, nil
}

// Open returns the unanswered questions.
func (d Draft) Open() []plan.Question {
	var open []plan.Question
	for _, q := range d.Questions {
		if _, answered := d.Answers[q.ID]; !answered {
			open = append(open, q)
		}
	}
	return open
}

// Remaining returns the ids of the actions that can still be approved: neither done nor
// rejected, and not dependent on a rejected action.
func (d Draft) Remaining() []string {
	dead := slices.Clone(d.Rejected)
	for grown := true; grown; { // terminates: every round but the last adds an action
		grown = false
		for _, a := range d.Actions {
			if slices.Contains(dead, a.ActionID) || slices.Contains(d.Done, a.ActionID) {
				continue
			}
			if slices.ContainsFunc(a.DependsOn, func(need string) bool {
				return slices.Contains(dead, need) && !slices.Contains(d.Done, need)
			}) {
				dead, grown = append(dead, a.ActionID), true
			}
		}
	}
	var remaining []string
	for _, a := range d.Actions {
		if !slices.Contains(dead, a.ActionID) && !slices.Contains(d.Done, a.ActionID) {
			remaining = append(remaining, a.ActionID)
		}
	}
	return remaining
}
