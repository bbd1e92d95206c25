package policy

import (
	"testing"

	"errand/build/must"
	"errand/planner/plan"
)

// TestBoundary checks that a boundary tool is denied to every origin except the user, whatever
// the rules, the lists and an approval say.
func TestBoundary(t *testing.T) {
	allowAll := Rule{Verdict: Allow, Tool: "*", Reason: "all of it"}
	settings := map[string]Settings{
		"the defaults":          {},
		"a rule that allows it": {Rules: []Rule{allowAll}},
		"user_goal_tools":       {UserGoalTools: []string{"*"}},
		"all hosts":             {AllowedDomains: []string{"*"}, Rules: []Rule{allowAll}},
	}
	origins := append(plan.Origins(), "", "api", "rpc")
	for name, s := range settings {
		p, err := New(s)
		must.Succeed(t, err)
		for _, origin := range origins {
			for _, class := range []string{"read", "write", "auth"} {
				for _, approved := range []bool{false, true} {
					r := Request{Kind: KindCall, Origin: origin, Tool: "apply", Class: class, Effect: "commit", Approved: approved, Boundary: true}
					d := p.Decide(r)
					if denied := d.Verdict == Deny && d.Rule == RuleApplyBoundary; denied != (origin != plan.UserGoal) {
						t.Errorf("%s, origin %q, %s, approved %t: %s by %s", name, origin, class, approved, d.Verdict, d.Rule)
					}
					if explained, steps := p.Explain(r); explained.Rule != d.Rule || len(steps) == 0 {
						t.Errorf("%s, origin %q: explained by %s in %d steps", name, origin, explained.Rule, len(steps))
					}
					r.Boundary = false
					if d := p.Decide(r); d.Rule == RuleApplyBoundary {
						t.Errorf("%s, origin %q: another tool is denied by %s", name, origin, d.Rule)
					}
				}
			}
		}
	}
}
