package grants

import (
	"context"
	"errors"
	"net/netip"

	"errand/app/config"
	"errand/host/system"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Checker answers questions about policy for the user. Nothing is called or
// fetched.
type Checker struct {
	Grants *Keeper
	Guard  func() (*guard.Guard, error)
	// PlaceArgs makes the paths in a call's arguments absolute, as a run does; nil keeps them.
	PlaceArgs func(tool.Spec, map[string]any) map[string]any
	// NeededFolders returns the folders for those paths in a call's arguments that are in no folder of its
	// tool. It reports false if no folder allows one of them. Nil: folders are not explained.
	NeededFolders func(spec tool.Spec, args map[string]any) (folders []string, ok bool)
}

// URLCheck is policy's decision about a URL that a goal of the user would open,
// and the addresses of its host.
type URLCheck struct {
	URL        string          `json:"url"`
	Verdict    policy.Verdict  `json:"verdict"`
	Rule       string          `json:"rule"`
	Reason     message.Message `json:"reason"`
	Addresses  []string        `json:"addresses"`
	Hint       message.Message `json:"hint,omitzero"`
	Unresolved bool            `json:"unresolved,omitempty"` // the host has no address now
	Steps      []policy.Step   `json:"steps,omitempty"`      // what policy looked at, in order
	Change     *ConfigChange   `json:"change,omitempty"`     // the one line of the config that would change the verdict
}

// ConfigChange is a line of the config, and the verdict with it.
type ConfigChange struct {
	config.Line
	Verdict policy.Verdict `json:"verdict"`
}

// change returns the line that would change the decision about a request; nil: no
// single line would.
func (c *Checker) change(gate policy.Chain, r policy.Request) *ConfigChange {
	change, ok := gate.Change(r)
	if !ok {
		return nil
	}
	line, ok := c.Grants.Config.Line(change)
	if !ok {
		return nil
	}
	return &ConfigChange{line, change.Verdict}
}

// CheckURL asks policy and, if policy allows it, the resolver.
func (c *Checker) CheckURL(ctx context.Context, raw string) (URLCheck, error) {
	g, err := c.Guard()
	if err != nil {
		return URLCheck{}, err
	}
	r := c.openRequest(raw)
	gate := c.Grants.Policy.WithGrants(c.Grants.Current()...)
	spelling, steps := gate.Explain(r)
	target, _ := policy.FloorURL(raw)
	check := URLCheck{URL: raw, Addresses: []string{}, Steps: steps}
	d, addresses, err := g.Check(ctx, r)
	if unresolved, ok := errors.AsType[*guard.ResolveError](err); ok {
		check.Unresolved = true
		d = policy.Decision{
			Verdict: policy.Deny, Rule: policy.RuleNoAnswer,
			Reason: message.New("grants.host_not_resolved", "host", unresolved.Host, "rule", spelling.Rule),
			Hint:   message.New("grants.host_not_resolved_hint"),
		}
	} else if err != nil {
		return check, err
	}
	for _, addr := range addresses {
		check.Addresses = append(check.Addresses, addr.String())
		d := c.Grants.Policy.DecideAddr(netip.AddrPortFrom(addr, target.Port))
		check.Steps = append(check.Steps, policy.Step{Name: "address", Verdict: d.Verdict, Rule: d.Rule, Reason: message.New("grants.address_decision", "address", addr, "reason", d.Reason)})
	}
	check.Verdict, check.Rule, check.Reason, check.Hint = d.Verdict, d.Rule, d.Reason, d.Hint
	return check, nil
}

// ExplainURL is CheckURL with the change of the config that would give another verdict,
// unless the addresses of the host decide.
func (c *Checker) ExplainURL(ctx context.Context, raw string) (URLCheck, error) {
	check, err := c.CheckURL(ctx, raw)
	if err != nil {
		return check, err
	}
	r := c.openRequest(raw)
	gate := c.Grants.Policy.WithGrants(c.Grants.Current()...)
	if gate.Decide(r).Verdict == check.Verdict {
		check.Change = c.change(gate, r)
	}
	return check, nil
}

// DecideURL decides about a URL that a goal of the user would open, by its
// spelling alone.
func (c *Checker) DecideURL(raw string) policy.Decision { return c.Grants.Decide(c.openRequest(raw)) }

func (c *Checker) openRequest(raw string) policy.Request {
	return policy.Request{
		Kind: policy.KindNavigate, Origin: plan.UserGoal, URL: raw, At: c.Grants.Now(),
		Tool: system.LaunchName, Effect: string(tool.EffectNavigate), Run: policy.FutureRun, Call: policy.FutureRun,
	}
}

// CheckLine answers one line of `policy check --jsonl`. It resolves no name.
func (c *Checker) CheckLine(line policy.Check) policy.CheckResult { return c.Grants.Policy.Check(line) }
