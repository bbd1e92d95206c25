package planning

import (
	"slices"

	"errand/app/answers"
	"errand/host/tool"
	"errand/planner"
	"errand/planner/message"
	"errand/planner/plan"
)

// FlagRisks counts again what a changed plan deletes, how many things it changes and how
// often it opens a site.
func FlagRisks(c *plan.Content) {
	c.Risks = slices.DeleteFunc(c.Risks, func(r plan.Risk) bool {
		return r.Kind == plan.Bulk || r.Kind == plan.Destructive || r.Kind == plan.RateLimitRisk
	})
	var deletes []message.Message
	for _, a := range c.Actions {
		if a.RiskLevel == plan.High && !a.ReadOnly {
			deletes = append(deletes, answers.SummarizeCall(a.Tool, a.Args))
		}
	}
	if n := len(c.Actions); n >= plan.BulkFrom {
		c.Risks = append(c.Risks, plan.Risk{Kind: plan.Bulk, Details: message.New("plan.risk_bulk", "count", n)})
	}
	c.Risks = append(c.Risks, plan.RateLimitRisks(c.Actions)...)
	if len(deletes) > 0 {
		c.Risks = append(c.Risks, plan.Risk{Kind: plan.Destructive, Details: message.New("plan.risk_destructive", "actions", deletes)})
	}
}

// FlagSeveral marks the actions that change existing things, if a plan that was not made from words
// has two or more of them: policy asks about them as it does about a goal in words.
func FlagSeveral(c *plan.Content, specs []tool.Spec) {
	var changes []int
	for i, a := range c.Actions {
		at := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == a.Tool })
		if at >= 0 && slices.ContainsFunc(specs[at].CanAchieve, planner.ChangesExisting) {
			changes = append(changes, i)
		}
	}
	if len(changes) < 2 {
		return
	}
	for _, i := range changes {
		c.Actions[i].Several = true
	}
}
