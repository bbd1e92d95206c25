package agent_test

import (
	"testing"

	"errand/app/agent"
	"errand/build/must"
	"errand/policy"
	"errand/policy/policytest"
)

// TestNarrowing holds the decider to the contract of all deciders.
func TestNarrowing(t *testing.T) {
	policytest.Run(t, (*agent.Narrowing)(nil), func(t *testing.T, s policy.Settings) policy.Decider {
		p, err := policy.New(s)
		must.Succeed(t, err)
		return policy.NewChain(p, agent.NewNarrowing())
	})
}
