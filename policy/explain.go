package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Step is one stage of a decision, as a person reads it.
type Step struct {
	Name    string   `json:"name"`          // floor, exceptions, redirect, bans, manifest, list, who, rules
	URL     string   `json:"url,omitempty"` // which of a call's it is about
	Verdict Verdict  `json:"verdict"`
	Rule    string   `json:"rule"`
	Reason  string   `json:"reason"`
	Near    []string `json:"near,omitempty"` // entries that would almost have matched, and why they don't
}

// maxNear bounds the near misses that are shown.
const maxNear = 8

// Explain decides a request as [Policy.Decide] does and says how: the stages in
// their order up to the one that refused, and the entries of the lists and the
// rules that almost fit. Of a call these are the stages of each URL that it
// reaches, then who may act, then the rules.
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
		steps = p.explainRules(steps, &r, []Target{t}, p.onWire(&r, &t))
	}
	return d, steps
}

// explainURL are the stages of floor and lists; open: they don't deny.
func (p *Policy) explainURL(r *Request) (steps []Step, open bool) {
	add := func(name string, s Decision) bool {
		steps = append(steps, Step{Name: name, Verdict: s.Verdict, Rule: s.Rule, Reason: s.Reason})
		return s.Verdict == Allow
	}
	t, floor := FloorURL(r.URL)
	if opened := t.Addr.IsValid() && p.private.open(addrPort(&t)); !add("floor", floor) && !opened && floor.Rule != RuleMixedScript {
		return steps, false
	} else if opened {
		add("exceptions", allow(RuleAllowPrivate, "allow_private opens "+t.HostPort()))
	}
	if r.From != "" && downgrade(r.From, &t) {
		_, d := p.decideURL(r, r.Kind)
		return steps, add("redirect", d)
	}
	if p.floor {
		return steps, true
	}
	if banned := p.denied.find(&t, r); banned != nil {
		return steps, add("bans", *banned)
	}
	if m := manifest(r, &t); r.Hosts != nil {
		if m.Reason == "" {
			m.Reason = "the tool's manifest declares this host"
		}
		if !add("manifest", m) {
			return steps, false
		}
	}
	_, lists := p.decideURL(r, r.Kind)
	add("list", lists)
	if lists.Verdict != Allow || lists.Rule == RulePublic {
		near := append(p.allowed.near(&t, r), p.granted.near(&t, r)...)
		steps[len(steps)-1].Near = near[:min(len(near), maxNear)]
	}
	return steps, lists.Verdict != Deny
}

func (p *Policy) explainCall(r *Request, d Decision) []Step {
	if d.Rule == RuleBadCall {
		return []Step{{Name: "call", Verdict: d.Verdict, Rule: d.Rule, Reason: d.Reason}}
	}
	var steps []Step
	navigates := r.Effect == "navigate"
	if navigates || len(r.Hosts) > 0 {
		for _, u := range urlsIn(r.Args, navigates) {
			hop := *r
			hop.Kind, hop.URL, hop.From = KindNavigate, u, ""
			if len(hop.Hosts) == 0 {
				hop.Hosts = nil
			}
			stages, open := p.explainURL(&hop)
			if !navigates { // the lists speak at each fetch
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
	who := p.whoActs(r)
	steps = append(steps, Step{Name: "who", Verdict: who.Verdict, Rule: who.Rule, Reason: who.Reason})
	said, _ := p.strictest(r, targets)
	return p.explainRules(steps, r, targets, said)
}

// explainRules adds the stage of the rules, if one matches or nearly does. said
// is the strictest that speaks.
func (p *Policy) explainRules(steps []Step, r *Request, targets []Target, said Decision) []Step {
	s := Step{Name: "rules", Verdict: Allow, Rule: "rules", Reason: "no rule matches"}
	matched, found := p.strictest(r, targets)
	switch {
	case found && r.Kind != KindCall && said.Rule != matched.Rule && said.Verdict == Allow:
		s.Rule, s.Reason = matched.Rule, "matches, and speaks about calls alone"
	case found && r.Approved && matched.Verdict == Ask:
		s.Rule, s.Reason = matched.Rule, "matches, and a person has said yes"
	case found:
		s.Verdict, s.Rule, s.Reason = said.Verdict, said.Rule, said.Reason
	}
	for i := range p.rules {
		if miss, near := p.rules[i].nearly(r, targets); near && len(s.Near) < maxNear {
			s.Near = append(s.Near, fmt.Sprintf("rules[%d] (%s) %s", i, p.rules[i].Verdict, miss))
		}
	}
	if !found && len(s.Near) == 0 {
		return steps
	}
	return append(steps, s)
}

// nearly says what keeps a rule from matching, where that is one thing alone and
// something else of it fits: another field, or a part of the host.
func (c *rule) nearly(r *Request, targets []Target) (miss string, near bool) {
	misses, fields := c.misses(r, targets), len(c.args)
	for _, set := range []bool{!c.Until.IsZero(), c.Tool != "", c.Effect != "", c.Origin != "", c.Host != ""} {
		if set {
			fields++
		}
	}
	if len(misses) != 1 || fields < 2 && !slices.ContainsFunc(targets, c.host.kin) {
		return "", false
	}
	return misses[0], true
}

// kin says whether a pattern is about a target's host, one above or one below.
func (p *Pattern) kin(t Target) bool {
	return p.base != "" && (p.base == t.Host || strings.HasSuffix(t.Host, "."+p.base) || strings.HasSuffix(p.base, "."+t.Host))
}

// near lists the patterns about a target's host, its parents and its
// subdomains, each with the reason why it doesn't cover the target.
func (l *list) near(t *Target, r *Request) (out []string) {
	note := func(entries []entry, why string) {
		for i := range entries {
			e := &entries[i]
			reason := why
			if reason == "" {
				reason = e.pattern.misses(t)
			}
			if reason == "" && e.grant != nil {
				reason = e.grant.passes(r)
			}
			if reason != "" && len(out) < maxNear {
				name := fmt.Sprintf("%q", e.pattern.text)
				if e.grant != nil {
					name = "grants[" + e.grant.ID + "] " + name
				}
				out = append(out, name+" "+reason)
			}
		}
	}
	note(l.addrs[t.Addr], "")
	note(l.names[t.Host], "")
	note(l.under[t.Host], "covers the subdomains of "+t.Host+", not "+t.Host+" itself")
	for rest := t.Host; !t.Addr.IsValid(); {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[dot+1:]
		note(l.under[rest], "")
		note(l.names[rest], "covers "+rest+" alone, not its subdomains")
	}
	note(l.any, "")
	return out
}

// misses says why a pattern whose host fits doesn't cover a target, "" where
// it does.
func (p *Pattern) misses(t *Target) string {
	switch {
	case p.wild == anyName && t.Addr.IsValid():
		return "covers names, no addresses"
	case p.wild == anyName && t.mixed:
		return "covers no name that mixes scripts"
	case p.scheme != "" && p.scheme != t.Scheme:
		return fmt.Sprintf("is for %s, not for %s", p.scheme, t.Scheme)
	case t.Port < p.from || p.to < t.Port:
		if p.from == p.to {
			return fmt.Sprintf("is for port %d, not for port %d", p.from, t.Port)
		}
		return fmt.Sprintf("is for the ports %d to %d, not for port %d", p.from, p.to, t.Port)
	case !p.covers(t):
		return fmt.Sprintf("is for paths below /%s/", strings.Join(p.path, "/"))
	}
	return ""
}

// misses says of each field of a rule that doesn't match why it doesn't.
func (c *rule) misses(r *Request, targets []Target) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if c.over(r) {
		add("ended at %s", c.Until.UTC().Format(time.RFC3339))
	}
	if c.Tool != "" && !glob(c.Tool, r.Tool) {
		add("is for the tool %s", c.Tool)
	}
	if c.Effect != "" && c.Effect != r.Effect {
		add("is for the effect %s, not %s", c.Effect, r.Effect)
	}
	if c.Origin != "" && c.Origin != string(r.Origin) {
		add("is for the origin %s, not %s", c.Origin, r.Origin)
	}
	if c.Host != "" && !c.covers(targets) {
		add("is for the host %s", c.Host)
	}
	for i := range c.args {
		a := &c.args[i]
		switch value, ok := a.of(r.Args); {
		case !ok:
			add("wants the argument %s", a.pointer)
		case !glob(a.want, value):
			add("wants %s = %q, not %q", a.pointer, a.want, clipped(value))
		}
	}
	return out
}

// clipped is a value short enough to be read in a line.
func clipped(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
