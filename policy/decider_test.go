package policy_test

import (
	"net/netip"
	"slices"
	"testing"

	"errand/build/must"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/policytest"
)

func newPolicy(t *testing.T, s policy.Settings) *policy.Policy {
	t.Helper()
	p, err := policy.New(s)
	must.Succeed(t, err)
	return p
}

// permissive is a decider that allows everything, as a policy in another language
// may be written.
type permissive struct{}

func (permissive) Decide(policy.Request) policy.Decision {
	return policy.Decision{Verdict: policy.Allow, Rule: "permissive", Reason: message.Verbatim("everything")}
}

func (p permissive) DecideAddr(netip.AddrPort) policy.Decision { return p.Decide(policy.Request{}) }

func (p permissive) Explain(r policy.Request) (policy.Decision, []policy.Step) {
	return p.Decide(r), nil
}

func (permissive) Digest() string { return "permissive" }

// TestDeciders runs the tests of the interface with a policy and with chains.
func TestDeciders(t *testing.T) {
	everything := policy.Settings{
		AllowedDomains: []string{"*:*", "http://*:*", "ws://*:*", "wss://*:*"}, AllowPrivate: []string{"127.0.0.1:11434"}, UserGoalTools: []string{"*"},
		Rules: []policy.Rule{{Verdict: policy.Allow, Tool: "*"}},
	}
	for name, tt := range map[string]struct {
		zero  policy.Decider
		build policytest.Build
	}{
		"policy":       {(*policy.Policy)(nil), func(t *testing.T, s policy.Settings) policy.Decider { return newPolicy(t, s) }},
		"chain of one": {policy.Chain{}, func(t *testing.T, s policy.Settings) policy.Decider { return policy.NewChain(newPolicy(t, s)) }},
		"settings first": {policy.NewChain(nil, permissive{}), func(t *testing.T, s policy.Settings) policy.Decider {
			return policy.NewChain(newPolicy(t, s), permissive{})
		}},
		"settings last": {policy.NewChain(policy.FloorOnly(), nil), func(t *testing.T, s policy.Settings) policy.Decider {
			return policy.NewChain(newPolicy(t, everything), permissive{}, newPolicy(t, s))
		}},
	} {
		t.Run(name, func(t *testing.T) { policytest.Run(t, tt.zero, tt.build) })
	}
}

// TestChainIsStrictest checks that each member of a chain can deny and ask, that none can allow
// what another one doesn't, and that all flags are kept.
func TestChainIsStrictest(t *testing.T) {
	r := policy.Request{Kind: policy.KindFetch, URL: "https://a.example/", Run: "r", Call: "a1"}
	allow, ask, deny := policy.Settings{AllowedDomains: []string{"a.example"}}, policy.Settings{}, policy.Settings{AllowedDomains: []string{"!a.example"}}
	wild := policy.Settings{AllowedDomains: []string{"*"}}
	for _, tt := range []struct {
		members []policy.Settings
		want    policy.Verdict
	}{
		{[]policy.Settings{allow, wild}, policy.Allow},
		{[]policy.Settings{allow, ask, allow}, policy.Ask},
		{[]policy.Settings{ask, deny}, policy.Deny},
		{[]policy.Settings{deny, ask}, policy.Deny},
		{[]policy.Settings{allow, allow, deny}, policy.Deny},
	} {
		var more []policy.Decider
		for _, s := range tt.members[1:] {
			more = append(more, newPolicy(t, s))
		}
		if d := policy.NewChain(newPolicy(t, tt.members[0]), more...).Decide(r); d.Verdict != tt.want {
			t.Errorf("%+v: %+v, want %v", tt.members, d, tt.want)
		}
	}
	granted := policy.NewChain(newPolicy(t, ask), newPolicy(t, wild)).WithGrants(policy.Grant{ID: "g", Pattern: "a.example", Scope: policy.ForRun})
	d := granted.Decide(r)
	if d.Verdict != policy.Allow || !slices.Equal(d.Grants(), []string{"g"}) || !slices.Contains(d.Flags, policy.FlagPublicOnly) {
		t.Errorf("with a grant: %+v", d)
	}
	if one, two := policy.NewChain(newPolicy(t, ask), newPolicy(t, wild)), policy.NewChain(newPolicy(t, wild), newPolicy(t, ask)); one.Digest() != two.Digest() || one.Digest() == granted.Digest() {
		t.Errorf("digests %s, %s, and with a grant %s", one.Digest(), two.Digest(), granted.Digest())
	}
}

// TestChainChange checks that a change of the settings is suggested only if it changes the
// chain's verdict.
func TestChainChange(t *testing.T) {
	r := policy.Request{Kind: policy.KindNavigate, URL: "https://a.example/"}
	p := newPolicy(t, policy.Settings{})
	if c, ok := policy.NewChain(p, permissive{}).Change(r); !ok || c.Verdict != policy.Allow {
		t.Errorf("%+v, %v", c, ok)
	}
	if c, ok := policy.NewChain(p, newPolicy(t, policy.Settings{})).Change(r); ok {
		t.Errorf("%+v, but the other decider still asks", c)
	}
	if got := policy.NewChain(p, permissive{}).Check(policy.Check{URL: r.URL, Allow: []string{"a.example"}}); got.Verdict != "allow" {
		t.Errorf("check %+v", got)
	}
	if _, err := policy.NewChain(nil).WithAllowed("a.example"); err == nil {
		t.Error("an empty chain was widened")
	}
}

// opinion is a decider with one decision.
type opinion struct {
	permissive
	d policy.Decision
}

func (o opinion) Decide(policy.Request) policy.Decision { return o.d }

// TestChainLiftsDefaultAsk checks which questions a decider can lift, and that what was read asks all
// the same.
func TestChainLiftsDefaultAsk(t *testing.T) {
	lifts := policy.Decision{Verdict: policy.Allow, Rule: "other", LiftsDefaultAsk: true}
	read := []policy.UntrustedRead{{Step: "a1", Tool: "web.fetch"}}
	for _, tt := range []struct {
		name     string
		settings policy.Settings
		more     []policy.Decision
		readings []policy.UntrustedRead
		want     string
	}{
		{"the default question", policy.Settings{}, []policy.Decision{lifts}, nil, "allow other"},
		{"without the right", policy.Settings{}, []policy.Decision{{Verdict: policy.Allow, Rule: "other"}}, nil, "ask " + policy.RuleDefaultAsk},
		{"a rule's question", policy.Settings{Rules: []policy.Rule{{Verdict: policy.Ask, Tool: "*"}}}, []policy.Decision{lifts}, nil, "ask rules[0]"},
		{"a rule's ban", policy.Settings{Rules: []policy.Rule{{Verdict: policy.Deny, Tool: "*"}}}, []policy.Decision{lifts}, nil, "deny rules[0]"},
		{"another's question", policy.Settings{}, []policy.Decision{lifts, {Verdict: policy.Ask, Rule: "third"}}, nil, "ask third"},
		{"another's ban", policy.Settings{}, []policy.Decision{lifts, {Verdict: policy.Deny, Rule: "third"}}, nil, "deny third"},
		{"what was read", policy.Settings{}, []policy.Decision{lifts}, read, "ask " + policy.RuleUntrusted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var more []policy.Decider
			for _, d := range tt.more {
				more = append(more, opinion{d: d})
			}
			d := policy.NewChain(newPolicy(t, tt.settings), more...).Decide(policy.Request{
				Kind: policy.KindCall, Origin: plan.UserGoal, Tool: "a.b", Class: "write", Effect: "commit", Readings: tt.readings,
			})
			if got := d.Verdict.String() + " " + d.Rule; got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
