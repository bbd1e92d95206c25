package approval

import (
	"slices"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// Rules that [Draft.Check] names in its decisions.
const (
	RuleGranted     = "approval.granted"     // the user approved exactly this call
	RuleMissing     = "approval.missing"     // the call has no approval yet
	RuleUnconfirmed = "approval.unconfirmed" // the call is destructive and has no confirmation of its own
	RuleDrift       = "approval.drift"       // the call differs from what was approved
	RuleExpired     = "approval.expired"     // the approval, or the wait for it, is over
	RuleEnded       = "approval.ended"       // the Draft is cancelled or done
	RuleRejected    = "approval.rejected"    // the user rejected the call
)

// Call is a call that is about to be made for a Draft.
type Call struct {
	PlanDigest   string
	PolicyDigest string
	ActionID     string
	Tool         string
	ToolDigest   string
	ArgsHash     string
	Destructive  bool // it would delete or overwrite something for good now
}

// Check decides whether the user approved exactly this call and the approval is still
// valid. It asks about a call that differs, and denies a rejected call.
func (d Draft) Check(c Call, now time.Time) policy.Decision {
	ask := func(rule string, reason message.Message) policy.Decision {
		return policy.Decision{Verdict: policy.Ask, Rule: rule, Reason: reason}
	}
	missing := ask(RuleMissing, message.New("approval.missing"))
	switch {
	case d.State == StateCancelled:
		return policy.Decision{Rule: RuleEnded, Reason: message.New("approval.cancelled")}
	case slices.Contains(d.Rejected, c.ActionID):
		return policy.Decision{Rule: RuleRejected, Reason: message.New("approval.action_rejected", "action_id", c.ActionID)}
	case d.State == StateApplied || slices.Contains(d.Done, c.ActionID):
		return ask(RuleEnded, message.New("approval.done_before"))
	case d.State == StateFailed:
		return ask(RuleEnded, message.New("approval.failed_before"))
	case d.State == StateExpired:
		return ask(RuleExpired, message.New("approval.not_approved_in_time"))
	case d.State != StateReady && d.State != StateApplying || d.Approval == nil:
		return missing
	case !d.isApprovalValid(now):
		return ask(RuleExpired, message.New("approval.approval_ended"))
	case !equalHashes(c.PlanDigest, d.Approval.PlanDigest) || c.PlanDigest != d.PlanDigest:
		return ask(RuleDrift, message.New("approval.plan_changed"))
	case !equalHashes(c.PolicyDigest, d.Approval.PolicyDigest) || c.PolicyDigest != d.PolicyDigest:
		return ask(RuleDrift, message.New("approval.policy_changed"))
	}
	a, approved := d.Approval.binding(c.ActionID)
	shown, _ := d.action(c.ActionID)
	switch {
	case !approved:
		return ask(RuleMissing, message.New("approval.action_not_approved", "action_id", c.ActionID))
	case shown.Tool != c.Tool || !equalHashes(c.ToolDigest, a.ToolDigest):
		return ask(RuleDrift, message.New("approval.tool_changed", "action_id", c.ActionID))
	case !equalHashes(c.ArgsHash, a.ArgsHash):
		return ask(RuleDrift, message.New("approval.action_changed", "action_id", c.ActionID))
	case c.Destructive && !shown.Destructive:
		return ask(RuleDrift, message.New("approval.destroys_now", "action_id", c.ActionID))
	case len(d.Unconfirmed([]string{c.ActionID}, d.Approval.Confirmed)) > 0:
		return ask(RuleUnconfirmed, message.New("approval.action_unconfirmed", "action_id", c.ActionID))
	}
	return policy.Decision{Verdict: policy.Allow, Rule: RuleGranted, Reason: message.New("approval.approved_by", "by", d.Approval.By)}
}

// equalHashes reports whether two digests are valid and equal.
func equalHashes(a, b string) bool { return a == b && isHash(a) }
