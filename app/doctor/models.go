package doctor

import (
	"context"
	"strings"

	"errand/planner/message"
)

// checkModels says why the model-driven agent can't run, though it is enabled. It asks no
// provider.
func (d *Doctor) checkModels(ctx context.Context) Check {
	const name = "language models"
	s, err := d.ModelAgent(ctx)
	switch {
	case err != nil:
		return Check{name, Warn, message.FromError(err), noHint}
	case len(s.Faults) > 0:
		return Check{name, Warn, message.New("message.lines", "lines", s.Faults), message.New("doctor.see_agent")}
	}
	var ready []string
	for _, p := range s.Providers {
		if p.CanBeAsked() {
			ready = append(ready, p.Name+" "+p.Model)
		}
	}
	return Check{name, OK, message.Verbatim(strings.Join(ready, ", ")), noHint}
}

// checkAgentRules warns of rules by which a language model may change something without approval.
func (d *Doctor) checkAgentRules(ctx context.Context) (c Check, found bool) {
	const name = "agent rules"
	rules, err := d.Policy.AgentRules(ctx)
	if err != nil {
		return Check{name, Warn, message.FromError(err), noHint}, true
	}
	var lines []message.Message
	for _, r := range rules {
		lines = append(lines, message.New("doctor.agent_writes", "rule", r.Rule, "tools", r.Tools))
	}
	return Check{name, Warn, message.New("message.lines", "lines", lines), message.New("doctor.agent_writes_hint")}, len(lines) > 0
}
