package rego

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// Limit is how long a policy may take for one request.
const Limit = 100 * time.Millisecond

// Rules that are no rule of the policy.
const (
	RuleFailed  = "rego.failed"
	RuleTimeout = "rego.timeout"
)

// FlagTimeout is the flag of a decision because of [RuleTimeout].
const FlagTimeout = "policy_timeout"

// ErrTime is the error of an evaluation that took longer than its limit.
var ErrTime = message.Error("policy.rego_timeout", "limit_ms", Limit.Milliseconds())

// errNone is the error of the zero Decider.
var errNone = message.Error("policy.rego_none")

// Evaluator evaluates a compiled policy: input and answer are JSON. It must be safe for concurrent
// use, and its errors for too much time must be [ErrTime].
type Evaluator interface {
	Eval(ctx context.Context, input []byte, limit time.Duration) ([]byte, error)
}

// Decider is a [policy.Decider] for a [policy.Chain]. It denies and asks as its policy says, and
// has no opinion about everything else. It never allows by itself. The zero Decider denies
// everything.
type Decider struct {
	policy Evaluator
	digest string
}

var _ policy.Decider = (*Decider)(nil)

// New makes a decider. The digest identifies the policy: its files, and the compiler.
func New(e Evaluator, digest string) *Decider { return &Decider{e, digest} }

var noOpinion = policy.Decision{Verdict: policy.Allow}

// Decide implements [policy.Decider].
func (d *Decider) Decide(r policy.Request) policy.Decision {
	if d == nil || d.policy == nil || d.digest == "" {
		return failed(errNone)
	}
	input, err := inputOf(&r)
	if err != nil {
		return failed(err)
	}
	text, err := d.policy.Eval(context.Background(), input, Limit)
	if errors.Is(err, ErrTime) {
		return policy.Decision{
			Verdict: policy.Deny, Rule: RuleTimeout, Flags: []string{FlagTimeout},
			Reason: message.New("policy.rego_timeout", "limit_ms", Limit.Milliseconds()),
		}
	}
	if err != nil {
		return failed(err)
	}
	a, err := readAnswer(text)
	if err != nil {
		return failed(err)
	}
	return a.decide(&r)
}

// decide turns the rules that hold into a decision.
func (a Answer) decide(r *policy.Request) policy.Decision {
	switch {
	case len(a.Deny) > 0:
		f := a.Deny[0]
		return f.decision(policy.Deny, message.New("policy.rego_deny", "message", f.Message, "file", f.File, "line", f.Line))
	case len(a.Ask) > 0 && !r.Approved:
		f := a.Ask[0]
		return f.decision(policy.Ask, message.New("policy.rego_ask", "message", f.Message, "file", f.File, "line", f.Line))
	case len(a.Ask) == 0 && len(a.Allow) > 0 && r.Kind == policy.KindCall:
		f := a.Allow[0]
		d := f.decision(policy.Allow, message.New("policy.rego_allow", "file", f.File, "line", f.Line))
		d.LiftsDefaultAsk = true
		return d
	}
	return noOpinion
}

// decision is the decision of a rule. The flag keeps the rule in the record.
func (f Found) decision(v policy.Verdict, reason message.Message) policy.Decision {
	id := "rego:" + f.Package + "." + v.String()
	return policy.Decision{Verdict: v, Rule: id, Flags: []string{id}, Reason: reason}
}

func failed(cause error) policy.Decision {
	return policy.Decision{Verdict: policy.Deny, Rule: RuleFailed, Reason: message.New("policy.rego_failed", "cause", cause)}
}

// DecideAddr implements [policy.Decider]. Rules see names and URLs, not addresses.
func (d *Decider) DecideAddr(netip.AddrPort) policy.Decision {
	if d == nil || d.policy == nil || d.digest == "" {
		return failed(errNone)
	}
	return noOpinion
}

// Explain implements [policy.Decider].
func (d *Decider) Explain(r policy.Request) (policy.Decision, []policy.Step) {
	decision := d.Decide(r)
	if decision.Rule == "" {
		return decision, nil
	}
	return decision, []policy.Step{{Name: "rego", URL: r.URL, Verdict: decision.Verdict, Rule: decision.Rule, Reason: decision.Reason}}
}

// Digest implements [policy.Decider].
func (d *Decider) Digest() string {
	if d == nil || d.policy == nil {
		return ""
	}
	return d.digest
}
