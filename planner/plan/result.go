package plan

import "errand/planner/message"

// Status is the outcome of planning. The zero value is invalid.
type Status string

// Statuses. An ambiguous goal results in an [AmbiguousError] instead.
const (
	Success          Status = "success"
	Partial          Status = "partial"           // the plan reaches the largest attainable part of the goal
	AlreadySatisfied Status = "already_satisfied" // the goal holds, so there is no plan
	Blocked          Status = "blocked"           // a fact is missing that no tool supplies
	NoCapability     Status = "no_capability"     // no tool has the effect
)

// Proof says why a plan can't be smaller. Cuts are disjoint sets of tools; every plan
// needs at least one tool of each. Search means that every smaller set of tools was ruled
// out. None means that the search stopped at its limit.
type Proof struct {
	Kind ProofKind  `json:"kind"`
	Cuts [][]string `json:"cuts,omitempty"`
}

// ProofKind is a kind of [Proof].
type ProofKind string

// Kinds of proof.
const (
	ByCuts   ProofKind = "cuts"
	BySearch ProofKind = "search"
	Unproved ProofKind = "none"
)

// Result is the outcome of planning, with the plan if there is one. The constructors below
// keep plan and status consistent.
type Result struct {
	status Status
	plan   *Plan
	reason message.Message
	unmet  []string
	proof  *Proof
}

// NewSuccess returns a success with its plan and its proof of minimality.
func NewSuccess(p Plan, proof Proof) Result {
	return withPlan(Success, p, message.Message{}, nil, proof)
}

// PartlySucceeded returns a plan for a part of the goal; unmet lists the remaining facts.
func PartlySucceeded(p Plan, reason message.Message, unmet []string, proof Proof) Result {
	return withPlan(Partial, p, reason, unmet, proof)
}

func withPlan(s Status, p Plan, reason message.Message, unmet []string, proof Proof) Result {
	if p.IsZero() {
		panic("plan: a result that has a plan needs one that plan.New made")
	}
	return Result{s, &p, reason, orEmptySlice(unmet), &proof}
}

// NewSatisfied returns the result for a goal that holds without any action.
func NewSatisfied(reason message.Message) Result {
	return Result{status: AlreadySatisfied, reason: reason, unmet: []string{}}
}

// BlockedBy returns the result for missing facts that no tool supplies. unmet is a
// smallest set of facts that would unblock the goal.
func BlockedBy(reason message.Message, unmet []string) Result {
	return Result{status: Blocked, reason: reason, unmet: orEmptySlice(unmet)}
}

// Incapable returns the result for effects in unmet that no tool has.
func Incapable(reason message.Message, unmet []string) Result {
	return Result{status: NoCapability, reason: reason, unmet: orEmptySlice(unmet)}
}

// Status returns the outcome of planning.
func (r Result) Status() Status { return r.status }

// Plan returns the plan of a full or partial success.
func (r Result) Plan() (Plan, bool) {
	if r.plan == nil {
		return Plan{}, false
	}
	return *r.plan, true
}

// Reason explains the status.
func (r Result) Reason() message.Message { return r.reason }

// Unmet returns the missing or remaining facts; see [Status].
func (r Result) Unmet() []string { return orEmptySlice(r.unmet) }

// Proof says why the plan can't be smaller.
func (r Result) Proof() (Proof, bool) {
	if r.proof == nil {
		return Proof{}, false
	}
	return *r.proof, true
}

// MarshalJSON writes every field, and null for missing values.
func (r Result) MarshalJSON() ([]byte, error) {
	if r.status == "" {
		return nil, message.Error("plan_file.result_without_status")
	}
	var reason *message.Message
	if !r.reason.IsZero() {
		reason = &r.reason
	}
	return message.EncodeJSON(struct {
		Status Status           `json:"status"`
		Plan   *Plan            `json:"plan"`
		Reason *message.Message `json:"reason"`
		Unmet  []string         `json:"unmet"`
		Proof  *Proof           `json:"proof"`
	}{r.status, r.plan, reason, r.unmet, r.proof})
}

// AmbiguousError is returned for goals that the user must clarify first.
type AmbiguousError struct {
	Questions []Question
}

func (e *AmbiguousError) Error() string {
	return e.AsMessage().String()
}

// AsMessage returns the first question.
func (e *AmbiguousError) AsMessage() message.Message {
	if len(e.Questions) == 0 {
		return message.New("reason.ambiguous")
	}
	return message.New("reason.ambiguous_question", "question", e.Questions[0].Question)
}
