package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"slices"
)

// Decider decides whether something may be done. [Policy] decides by settings, and a
// [Chain] by a policy and further deciders. Every verdict except [Allow] forbids.
//
// A Decider is safe for concurrent use, and gives the same decision for the same
// request. Package policytest tests this contract.
type Decider interface {
	// Decide answers a request without DNS: it decides a name by its spelling.
	Decide(Request) Decision
	// DecideAddr decides whether an address may be dialled.
	DecideAddr(netip.AddrPort) Decision
	// Explain is Decide with the stages that led to the decision.
	Explain(Request) (Decision, []Step)
	// Digest identifies everything that decisions depend on. An approval is bound to
	// it. An empty digest means that it denies everything.
	Digest() string
}

// Chain combines a policy and further deciders. Its decision is the strictest of
// theirs, in any order. Because the policy always takes part, no decider can loosen the
// floor or the user's lists. Only the question that a call asks by default can be lifted,
// as a rule of the settings can lift it: by a decision that [Decision.LiftsDefaultAsk], if
// no other decider forbids the call. The zero Chain denies everything.
type Chain struct {
	policy *Policy
	more   []Decider
}

// NewChain makes a chain. A nil policy or decider denies everything.
func NewChain(p *Policy, more ...Decider) Chain {
	more = slices.Clone(more)
	for i, m := range more {
		if m == nil {
			more[i] = (*Policy)(nil)
		}
	}
	return Chain{p, more}
}

// Decide implements [Decider].
func (c Chain) Decide(r Request) Decision {
	more := make([]Decision, len(c.more))
	for i, m := range c.more {
		more[i] = m.Decide(r)
	}
	return c.policy.Decide(r).combineAll(&r, more)
}

// DecideAddr implements [Decider].
func (c Chain) DecideAddr(a netip.AddrPort) Decision {
	d := c.policy.DecideAddr(a)
	for _, m := range c.more {
		d = d.combine(m.DecideAddr(a))
	}
	return d
}

// Explain implements [Decider]. It returns the stages of all deciders in turn.
func (c Chain) Explain(r Request) (Decision, []Step) {
	d, steps := c.policy.Explain(r)
	more := make([]Decision, len(c.more))
	for i, m := range c.more {
		var stages []Step
		more[i], stages = m.Explain(r)
		steps = append(steps, stages...)
	}
	return d.combineAll(&r, more), steps
}

// Digest implements [Decider]. A chain of a policy alone has the policy's digest.
func (c Chain) Digest() string {
	digest := c.policy.Digest()
	if len(c.more) == 0 || digest == "" {
		return digest
	}
	all := []string{digest}
	for _, m := range c.more {
		if m.Digest() == "" {
			return ""
		}
		all = append(all, m.Digest())
	}
	sum := sha256.Sum256([]byte(join("errand policies", set(all))))
	return hex.EncodeToString(sum[:])
}

// WithGrants calls [Policy.WithGrants] on the chain's policy.
func (c Chain) WithGrants(grants ...Grant) Chain {
	return Chain{c.policy.WithGrants(grants...), c.more}
}

// WithAllowed calls [Policy.WithAllowed] on the chain's policy.
func (c Chain) WithAllowed(patterns ...string) (Chain, error) {
	p, err := c.policy.WithAllowed(patterns...)
	return Chain{p, c.more}, err
}

// Check calls [Policy.Check]. A check with its own patterns, or of the floor alone,
// does not use the further deciders.
func (c Chain) Check(q Check) CheckResult { return q.answer(c) }

// Change calls [Policy.Change]. It returns false if another decider keeps the verdict.
func (c Chain) Change(r Request) (Change, bool) {
	change, ok := c.policy.Change(r)
	if !ok {
		return Change{}, false
	}
	for _, m := range c.more {
		change.Verdict = min(change.Verdict, m.Decide(r).Verdict)
	}
	return change, change.changesVerdict(c.Decide(r).Verdict)
}

// combineAll returns the decision of a chain from those of its policy and its other
// deciders.
func (d Decision) combineAll(r *Request, more []Decision) Decision {
	if d.Rule == RuleDefaultAsk {
		// A question with a reason of its own says more than the default one.
		answers := func(m Decision) bool { return m.Verdict == Ask || m.Verdict == Allow && m.LiftsDefaultAsk }
		if i := slices.IndexFunc(more, answers); i >= 0 {
			answer := r.escalate(more[i]) // d has the flag of untrusted text already
			answer.Flags = d.combine(answer).Flags
			d = answer
		}
	}
	for _, m := range more {
		d = d.combine(m)
	}
	return d
}

// combine returns the stricter of two decisions about one request, with the flags of
// both.
func (d Decision) combine(other Decision) Decision {
	strict := d.Stricter(other)
	strict.Flags = slices.Clip(strict.Flags)
	for _, f := range append(slices.Clip(d.Flags), other.Flags...) {
		if !slices.Contains(strict.Flags, f) {
			strict.Flags = append(strict.Flags, f)
		}
	}
	return strict
}
