package plan

import "fmt"

// Status is how planning ended. The zero value is no status at all.
type Status string

// Statuses. An ambiguous goal is an error of type [AmbiguousError], never a
// status.
const (
	Success          Status = "success"
	Partial          Status = "partial"           // a plan for the largest attainable part
	AlreadySatisfied Status = "already_satisfied" // nothing to do, no plan
	Blocked          Status = "blocked"           // the world lacks a fact that no tool supplies
	NoCapability     Status = "no_capability"     // no tool has the effect
)

// Proof says why a plan can't be smaller. Cuts: disjoint sets of tools, of each
// of which every plan needs at least one. Search: every smaller set of tools
// was excluded. None: a budget ended the search.
type Proof struct {
	Kind ProofKind  `json:"kind"`
	Cuts [][]string `json:"cuts,omitempty"`
}

// ProofKind names a kind of [Proof].
type ProofKind string

// Kinds of proof.
const (
	ByCuts   ProofKind = "cuts"
	BySearch ProofKind = "search"
	Unproved ProofKind = "none"
)

// Result is how planning ended, with the plan where there is one. It is made
// by the constructors below, which keep plan and status consistent.
type Result struct {
	status Status
	plan   *Plan
	reason string
	unmet  []string
	proof  *Proof
}

// Succeeded is a success with its plan and its proof of minimality.
func Succeeded(p Plan, proof Proof) Result {
	return withPlan(Success, p, "", nil, proof)
}

// PartlySucceeded is a plan for a part of the goal; unmet are the facts left.
func PartlySucceeded(p Plan, reason string, unmet []string, proof Proof) Result {
	return withPlan(Partial, p, reason, unmet, proof)
}

func withPlan(s Status, p Plan, reason string, unmet []string, proof Proof) Result {
	if p.IsZero() {
		panic("plan: a result that has a plan needs one that plan.New made")
	}
	return Result{s, &p, reason, filled(unmet), &proof}
}

// Satisfied is the result for a goal that already holds.
func Satisfied(reason string) Result {
	return Result{status: AlreadySatisfied, reason: reason, unmet: []string{}}
}

// BlockedBy is the result where the world lacks facts that no tool supplies;
// unmet is a smallest set of facts that would unblock the goal.
func BlockedBy(reason string, unmet []string) Result {
	return Result{status: Blocked, reason: reason, unmet: filled(unmet)}
}

// Incapable is the result where no tool has the effects in unmet.
func Incapable(reason string, unmet []string) Result {
	return Result{status: NoCapability, reason: reason, unmet: filled(unmet)}
}

// Status is how planning ended.
func (r Result) Status() Status { return r.status }

// Plan is the plan of a success or a partial one.
func (r Result) Plan() (Plan, bool) {
	if r.plan == nil {
		return Plan{}, false
	}
	return *r.plan, true
}

// Reason says in words why the status is what it is.
func (r Result) Reason() string { return r.reason }

// Unmet are the facts that are missing or left; see [Status].
func (r Result) Unmet() []string { return filled(r.unmet) }

// Proof says why the plan can't be smaller.
func (r Result) Proof() (Proof, bool) {
	if r.proof == nil {
		return Proof{}, false
	}
	return *r.proof, true
}

// MarshalJSON writes every field, null where there is none.
func (r Result) MarshalJSON() ([]byte, error) {
	if r.status == "" {
		return nil, fmt.Errorf("marshal plan result: it has no status")
	}
	return marshal(struct {
		Status Status   `json:"status"`
		Plan   *Plan    `json:"plan"`
		Reason *string  `json:"reason"`
		Unmet  []string `json:"unmet"`
		Proof  *Proof   `json:"proof"`
	}{r.status, r.plan, orNull(r.reason), r.unmet, r.proof})
}

// AmbiguousError is what a planner answers to goals that need a person first.
type AmbiguousError struct {
	Questions []Question
}

func (e *AmbiguousError) Error() string {
	if len(e.Questions) == 0 {
		return "the goal is ambiguous"
	}
	return "the goal is ambiguous: " + e.Questions[0].Question
}
