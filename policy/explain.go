package policy

import (
	"errand/planner/message"
	"errand/policy/urltext"
)

// Step is one stage of a decision, shown to the user.
type Step struct {
	Name    string            `json:"name"`          // floor, exceptions, redirect, bans, manifest, list, who, rules, read
	URL     string            `json:"url,omitempty"` // the URL that the stage is about
	Verdict Verdict           `json:"verdict"`
	Rule    string            `json:"rule"`
	Reason  message.Message   `json:"reason"`
	Near    []message.Message `json:"near,omitempty"` // entries that nearly match, and why they don't
}

// maxNear limits the near misses in an explanation.
const maxNear = 8

// Explain implements [Decider]. It returns the stages in order, up to the one that
// denied, with the entries of lists and rules that nearly match. For a call these are
// the stages of each URL that it reaches, the actor, and the rules.
func (p *Policy) Explain(r Request) (Decision, []Step) {
	d := p.Decide(r)
	switch {
	case p == nil || !p.ready, r.Kind != KindCall && r.Kind != KindNavigate && r.Kind != KindSubresource && r.Kind != KindFetch:
		return d, nil
	case r.Kind == KindCall:
		return d, p.explainCall(&r, d)
	}
	steps, open := p.explainURL(&r)
	if open && !p.floor {
		t, _ := FloorURL(r.URL)
		steps = p.explainRules(steps, &r, []Target{t}, p.decideConnection(&r, &t))
	}
	return d, steps
}

// explainURL returns the stages of the floor and the lists. open is false if one of
// them denies.
func (p *Policy) explainURL(r *Request) (steps []Step, open bool) {
	add := func(name string, s Decision) bool {
		steps = append(steps, Step{Name: name, Verdict: s.Verdict, Rule: s.Rule, Reason: s.Reason})
		return s.Verdict == Allow
	}
	t, floor := FloorURL(r.URL)
	if opened := t.Addr.IsValid() && p.private.contains(addrPort(&t)); !add("floor", floor) && !opened && floor.Rule != RuleMixedScript {
		return steps, false
	} else if opened {
		add("exceptions", allow(RuleAllowPrivate, message.New("policy.allow_private_opens", "address", t.HostPort())))
	}
	if r.From != "" && isDowngrade(r.From, &t) {
		_, d := p.decideURL(r, r.Kind)
		return steps, add("redirect", d)
	}
	if p.floor {
		return steps, true
	}
	if banned := p.denied.find(&t, r); banned != nil {
		return steps, add("bans", *banned)
	}
	if m := checkManifest(r, &t); r.Hosts != nil {
		if m.Reason.IsZero() {
			m.Reason = message.New("policy.in_manifest")
		}
		if !add("manifest", m) {
			return steps, false
		}
	}
	_, lists := p.decideURL(r, r.Kind)
	add("list", lists)
	if lists.Verdict != Allow || lists.Rule == RulePublic {
		near := append(p.allowed.nearMisses(&t, r), p.granted.nearMisses(&t, r)...)
		steps[len(steps)-1].Near = near[:min(len(near), maxNear)]
	}
	return steps, lists.Verdict != Deny
}

func (p *Policy) explainCall(r *Request, d Decision) []Step {
	if d.Rule == RuleBadCall || d.Rule == RuleApplyBoundary {
		return []Step{{Name: "call", Verdict: d.Verdict, Rule: d.Rule, Reason: d.Reason}}
	}
	var steps []Step
	navigates := r.Effect == "navigate"
	if navigates || len(r.Hosts) > 0 {
		for _, u := range urltext.Find(r.Args, navigates) {
			hop := *r
			hop.Kind, hop.URL, hop.From = KindNavigate, u, ""
			if len(hop.Hosts) == 0 {
				hop.Hosts = nil
			}
			stages, open := p.explainURL(&hop)
			if !navigates { // the lists decide each fetch again
				stages = stages[:min(len(stages), 2)]
				if n := len(stages); n == 2 && stages[1].Name != "exceptions" {
					stages = stages[:1]
				}
				open = stages[len(stages)-1].Verdict == Allow
			}
			for i := range stages {
				stages[i].URL = u
			}
			if steps = append(steps, stages...); !open {
				return steps
			}
		}
	}
	if p.floor {
		return steps
	}
	targets, _, _ := p.decideReach(r)
	who := p.decideActor(r)
	steps = append(steps, Step{Name: "who", Verdict: who.Verdict, Rule: who.Rule, Reason: who.Reason})
	decision, _ := p.strictestRule(r, targets)
	steps = p.explainRules(steps, r, targets, decision)
	if w := r.escalate(allow(RuleRead, message.Message{})); w.Verdict == Ask {
		steps = append(steps, Step{Name: "read", Verdict: w.Verdict, Rule: w.Rule, Reason: w.Reason})
	}
	return steps
}

// explainRules adds the stage of the rules, if one matches or nearly matches. decision is
// the decision of the strictest rule that applies.
func (p *Policy) explainRules(steps []Step, r *Request, targets []Target, decision Decision) []Step {
	s := Step{Name: "rules", Verdict: Allow, Rule: "rules", Reason: message.New("policy.no_rule_matches")}
	matched, found := p.strictestRule(r, targets)
	switch {
	case found && r.Kind != KindCall && decision.Rule != matched.Rule && decision.Verdict == Allow:
		s.Rule, s.Reason = matched.Rule, message.New("policy.matches_calls_only")
	case found && r.Approved && matched.Verdict == Ask:
		s.Rule, s.Reason = matched.Rule, message.New("policy.matches_approved")
	case found:
		s.Verdict, s.Rule, s.Reason = decision.Verdict, decision.Rule, decision.Reason
	}
	q := &question{*r, targets}
	for i := range p.rules {
		if miss, near := p.rules[i].nearMiss(q); near && len(s.Near) < maxNear {
			s.Near = append(s.Near, message.New("policy.near_rule", "index", i, "verdict", p.rules[i].Verdict, "miss", miss))
		}
	}
	if !found && len(s.Near) == 0 {
		return steps
	}
	return append(steps, s)
}
