package approval

import (
	"testing"
	"time"

	"errand/planner/message"
	"errand/policy"
)

func TestCheck(t *testing.T) {
	done := succeed(t)(applying(t).FinishApply([]string{"a1", "a2", "a3", "a4"}, message.Message{}, minute(3)))
	part := succeed(t)(applying(t, "a1").FinishApply([]string{"a1"}, message.Message{}, minute(3)))
	part = succeed(t)(part.Approve(yes(3)))
	with := func(change func(*Call)) Call { c := call("a1"); change(&c); return c }
	unbound := approved(t)
	unbound.PlanDigest, unbound.Approval.PlanDigest = "", ""
	tests := []struct {
		name  string
		draft Draft
		call  Call
		after time.Duration
		want  policy.Verdict
		rule  string
	}{
		{"approved", approved(t), call("a1"), 2 * time.Minute, policy.Allow, RuleGranted},
		{"while it is applied", applying(t), call("a1"), 2 * time.Minute, policy.Allow, RuleGranted},
		{"at the moment of approval", approved(t), call("a1"), time.Minute, policy.Allow, RuleGranted},
		{"just before its end", approved(t), call("a1"), 11*time.Minute - 1, policy.Allow, RuleGranted},
		{"at its end", approved(t), call("a1"), 11 * time.Minute, policy.Ask, RuleExpired},
		{"at its end, while it is applied", applying(t), call("a1"), 11 * time.Minute, policy.Ask, RuleExpired},
		{"before the approval", approved(t), call("a1"), 0, policy.Ask, RuleExpired},
		{"S0-H35 not approved", draft(t), call("a1"), time.Minute, policy.Ask, RuleMissing},
		{"zero draft", Draft{}, call("a1"), time.Minute, policy.Ask, RuleMissing},
		{"approval lost on the way", Draft{State: StateReady, PlanDigest: hash("plan")}, call("a1"), time.Minute, policy.Ask, RuleMissing},
		{"an approval that binds to no plan", unbound, with(func(c *Call) { c.PlanDigest = "" }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"other arguments", approved(t), with(func(c *Call) { c.ArgsHash = hash("other") }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"another tool", approved(t), with(func(c *Call) { c.Tool = "delete_project" }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"another version of the tool", approved(t), with(func(c *Call) { c.ToolDigest = hash("other") }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"another plan", approved(t), with(func(c *Call) { c.PlanDigest = hash("other") }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"other rules", approved(t), with(func(c *Call) { c.PolicyDigest = hash("other") }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"arguments of another action", approved(t), with(func(c *Call) { c.ArgsHash = call("a4").ArgsHash }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"no hash", approved(t), with(func(c *Call) { c.ArgsHash = "" }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"no tool digest", approved(t), with(func(c *Call) { c.ToolDigest = "" }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"no policy", approved(t), with(func(c *Call) { c.PolicyDigest = "" }), 2 * time.Minute, policy.Ask, RuleDrift},
		{"unknown action", approved(t), with(func(c *Call) { c.ActionID = "a9" }), 2 * time.Minute, policy.Ask, RuleMissing},
		{"an action that was left out", approved(t, "a1"), call("a4"), 2 * time.Minute, policy.Ask, RuleMissing},
		{"one action of them", approved(t, "a4"), call("a4"), 2 * time.Minute, policy.Allow, RuleGranted},
		{"what an earlier approval did", part, call("a1"), 4 * time.Minute, policy.Ask, RuleEnded},
		{"what the next one covers", part, call("a2"), 4 * time.Minute, policy.Allow, RuleGranted},
		{"done", done, call("a1"), 2 * time.Minute, policy.Ask, RuleEnded},
		{"S2-H16 cancelled", succeed(t)(applying(t).Cancel(message.Verbatim("stop"))), call("a1"), 2 * time.Minute, policy.Deny, RuleEnded},
		{"blocked", succeed(t)(applying(t).Block(message.Verbatim("a1 failed"))), call("a1"), 2 * time.Minute, policy.Ask, RuleMissing},
		{"S2-H15 expired", draft(t).Expire(t0.Add(TTL)), call("a1"), TTL, policy.Ask, RuleExpired},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := tt.draft.Check(tt.call, t0.Add(tt.after)); d.Verdict != tt.want || d.Rule != tt.rule {
				t.Errorf("%v by %s (%s), want %v by %s", d.Verdict, d.Rule, d.Reason, tt.want, tt.rule)
			}
		})
	}
}
