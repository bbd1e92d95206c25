package approval

import (
	"fmt"
	"time"

	"errand/policy"
)

// Rules of the decisions that [Draft.Check] takes.
const (
	RuleGranted = "approval.granted" // a person approved exactly this
	RuleMissing = "approval.missing" // nobody approved it yet
	RuleDrift   = "approval.drift"   // it differs from what was approved
	RuleExpired = "approval.expired" // the approval, or the wait for it, is over
	RuleEnded   = "approval.ended"   // the Draft was cancelled or is done
)

// Call is what is about to be done under a Draft.
type Call struct {
	PlanDigest string
	ActionID   string
	Tool       string
	ArgsHash   string
}

// Check says whether a person approved exactly this call, and still does now.
// Whatever differs asks again; only a Draft that a person cancelled denies.
func (d Draft) Check(c Call, now time.Time) policy.Decision {
	ask := func(rule, reason string) policy.Decision {
		return policy.Decision{Verdict: policy.Ask, Rule: rule, Reason: reason}
	}
	switch d.State {
	case StateReady, StateApplying:
	case StateCancelled:
		return policy.Decision{Rule: RuleEnded, Reason: "it was cancelled"}
	case StateApplied:
		return ask(RuleEnded, "it was done already; doing it again needs a new approval")
	case StateExpired:
		return ask(RuleExpired, "nobody approved it in time")
	default:
		return ask(RuleMissing, "nobody has approved it yet")
	}
	switch {
	case d.Approval == nil:
		return ask(RuleMissing, "nobody has approved it yet")
	case !d.lasts(now):
		return ask(RuleExpired, "the approval has ended")
	case c.PlanDigest != d.PlanDigest || d.Approval.PlanDigest != d.PlanDigest:
		return ask(RuleDrift, "the plan is not the one that was approved")
	}
	for _, a := range d.Approval.Actions {
		if a.ID != c.ActionID {
			continue
		}
		if a.Tool != c.Tool || a.ArgsHash != c.ArgsHash || !isHash(c.ArgsHash) {
			return ask(RuleDrift, fmt.Sprintf("action %s differs from what was approved", c.ActionID))
		}
		return policy.Decision{Verdict: policy.Allow, Rule: RuleGranted, Reason: fmt.Sprintf("approved by %s", d.Approval.By)}
	}
	return ask(RuleMissing, fmt.Sprintf("action %s was not approved", c.ActionID))
}
