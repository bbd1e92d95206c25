package grants

import (
	"context"
	"fmt"
	"slices"

	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/glob"
)

// AgentRule is a rule of the configuration by which the model-driven agent may change something
// without approval.
type AgentRule struct {
	Rule  string   `json:"rule"`  // as decisions name it
	Tools []string `json:"tools"` // that the agent may call and the rule is about, sorted
}

// AgentRules lists the rules by which the agent may change something without approval. A run that has
// read untrusted text needs approval also where such a rule allows a call.
func (c *Checker) AgentRules(ctx context.Context) ([]AgentRule, error) {
	specs, err := c.Grants.Tools(ctx)
	if err != nil {
		return nil, err
	}
	allowed := c.Grants.Config.Agent.Internal.AllowedTools
	var out []AgentRule
	for i, r := range c.Grants.Config.Policy.Rules {
		if r.Verdict != policy.Allow || !slices.Contains([]string{"", string(plan.Agent)}, r.Origin) {
			continue
		}
		found := AgentRule{Rule: fmt.Sprintf("rules[%d]", i)}
		for _, s := range specs {
			if slices.Contains(allowed, s.Name) && mayChange(s) && (r.Tool == "" || glob.Match(r.Tool, s.Name)) && (r.Effect == "" || r.Effect == string(s.Effect)) {
				found.Tools = append(found.Tools, s.Name)
			}
		}
		if slices.Sort(found.Tools); len(found.Tools) > 0 {
			out = append(out, found)
		}
	}
	return out, nil
}

func mayChange(s tool.Spec) bool { return s.SideEffectClass != tool.Read && !s.Boundary }

// agentWarning says that a call of the agent changes something and needs no approval.
func agentWarning(s tool.Spec, origin plan.Origin, d policy.Decision) message.Message {
	if origin != plan.Agent || d.Verdict != policy.Allow || !mayChange(s) {
		return message.Message{}
	}
	return message.New("grants.agent_writes", "rule", d.Rule)
}
