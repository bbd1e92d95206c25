package agent

import (
	"errand/app/planning"
	"errand/planner/interpret"
)

// MayAsk reports whether a language model may be offered words that the rules read as in. It sends
// nothing, and says nothing about whether the agent is on.
func (p *Providers) MayAsk(in planning.Interpretation, words string) bool {
	return in.Status == interpret.Unsupported && in.MayAskModel() && !p.Vault.HasSecret(words)
}
