package core

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"errand/app/config"
	"errand/host/system"
	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
	"errand/policy/quarantine"
	"errand/policy/redact"
)

// URLCheck is what policy says of a URL that a person's goal would open, and
// where its name leads.
type URLCheck struct {
	URL        string         `json:"url"`
	Verdict    policy.Verdict `json:"verdict"`
	Rule       string         `json:"rule"`
	Reason     string         `json:"reason"`
	Addresses  []string       `json:"addresses"`
	Hint       string         `json:"hint,omitempty"`
	Unresolved bool           `json:"unresolved,omitempty"` // the name has no address now
	Steps      []policy.Step  `json:"steps,omitempty"`      // what was asked, in order
	Change     *ConfigChange  `json:"change,omitempty"`     // the one line of the config that would change the verdict
}

// ConfigChange is a line of the config, and the verdict with it.
type ConfigChange struct {
	config.Line
	Verdict policy.Verdict `json:"verdict"`
}

// change is the line that would change what policy says to a request; nil: no
// single one would.
func (a *App) change(gate policy.Chain, r policy.Request) *ConfigChange {
	c, ok := gate.Change(r)
	if !ok {
		return nil
	}
	line, ok := a.conf.Line(c)
	if !ok {
		return nil
	}
	return &ConfigChange{line, c.Verdict}
}

// CheckURL asks policy and, if it allows, the resolver. Nothing is fetched.
func (a *App) CheckURL(ctx context.Context, raw string) (URLCheck, error) {
	g, err := a.guard()
	if err != nil {
		return URLCheck{}, err
	}
	r := a.opening(raw)
	gate := a.gate.WithGrants(a.grants()...)
	spelling, steps := gate.Explain(r)
	target, _ := policy.FloorURL(raw)
	c := URLCheck{URL: raw, Addresses: []string{}, Steps: steps, Change: a.change(gate, r)}
	d, addresses, err := g.Check(ctx, r)
	var unresolved *guard.ResolveError
	if errors.As(err, &unresolved) {
		c.Unresolved = true
		d = policy.Decision{
			Verdict: policy.Deny, Rule: policy.RuleNoAnswer,
			Reason: fmt.Sprintf("%s could not be resolved; its name is allowed (%s)", unresolved.Host, spelling.Rule),
			Hint:   "check the network connection",
		}
	} else if err != nil {
		return c, err
	}
	for _, addr := range addresses {
		c.Addresses = append(c.Addresses, addr.String())
		said := a.gate.DecideAddr(netip.AddrPortFrom(addr, target.Port))
		c.Steps = append(c.Steps, policy.Step{Name: "address", Verdict: said.Verdict, Rule: said.Rule, Reason: addr.String() + ": " + said.Reason})
	}
	if d.Verdict != spelling.Verdict { // what its name leads to decides, and no line of the config
		c.Change = nil
	}
	c.Verdict, c.Rule, c.Reason, c.Hint = d.Verdict, d.Rule, d.Reason, d.Hint
	return c, nil
}

// DecideURL is policy's word on a URL that a person's goal would open, by its
// spelling alone.
func (a *App) DecideURL(raw string) policy.Decision { return a.decide(a.opening(raw)) }

func (a *App) opening(raw string) policy.Request {
	return policy.Request{
		Kind: policy.KindNavigate, Origin: plan.UserGoal, URL: raw, At: a.now(),
		Tool: system.LaunchName, Effect: string(tool.EffectNavigate), Run: toCome, Call: toCome,
	}
}

// CheckLine answers one line of `policy check --jsonl`: without any network.
func (a *App) CheckLine(c policy.Check) policy.Checked { return a.gate.Check(c) }

// Redact removes secrets of well-known shapes.
func Redact(text string) string { return redact.New(nil).Text(text) }

// Quarantine looks for text that tries to steer an agent.
func Quarantine(text string) quarantine.Finding { return quarantine.Scan(text) }
