package session

import (
	"net/netip"

	"errand/host/browser/address"
	"errand/host/trace"
	"errand/policy"
	"errand/policy/guard"
)

// WindowGuard makes the network access of the visible browser of the resident process, which
// many runs and the user share: it has no budget and no record. decide decides about a
// connection by its host.
func (ss *Sessions) WindowGuard(decide func(policy.Request) policy.Decision) (*guard.Guard, error) {
	return ss.newGuard(windowDecider{decide, ss.o.Policy}, guard.Budget{}, nil)
}

type windowDecider struct {
	decide func(policy.Request) policy.Decision
	policy policy.Chain
}

func (w windowDecider) Decide(r policy.Request) policy.Decision { return w.decide(r) }

func (w windowDecider) DecideAddr(a netip.AddrPort) policy.Decision { return w.policy.DecideAddr(a) }

// TrustedKeys returns the keys of the demo's site, which browsers trust without an authority.
func (ss *Sessions) TrustedKeys() ([]string, error) {
	site, err := ss.o.Site()
	if err != nil || site == nil {
		return nil, err
	}
	return []string{site.SPKI()}, nil
}

// Charge counts a request that was decided elsewhere against the run's budget.
func (s *Session) Charge(r policy.Request, d policy.Decision) policy.Decision {
	return s.budget.pass(r, d)
}

// BrowserNote notes a connection of the browser for a step.
func (s *Session) BrowserNote(step string, n trace.Note) {
	if c, ok := n.(trace.ConnectionNote); ok {
		c.Step, c.Host = step, address.Hostname(c.URL)
		if target, _ := policy.FloorURL(c.URL); target.Host != "" {
			c.Host = target.HostPort()
		}
		n = c
	}
	s.note(n)
}
