package policy

import (
	"fmt"
	"strings"
)

// Step is one stage of a decision, as a person reads it.
type Step struct {
	Name    string   `json:"name"` // floor, exceptions, bans, manifest, list, rules
	Verdict Verdict  `json:"verdict"`
	Rule    string   `json:"rule"`
	Reason  string   `json:"reason"`
	Near    []string `json:"near,omitempty"` // entries that would almost have covered the URL, and why they don't
}

// maxNear bounds the near misses that are shown.
const maxNear = 8

// Explain decides a request for a URL as [Policy.Decide] does and says how:
// the stages in their order up to the one that refused, and the entries of
// the list that almost fit. A call has no stages but its decision.
func (p *Policy) Explain(r Request) (Decision, []Step) {
	d := p.Decide(r)
	if p == nil || !p.ready || r.Kind == KindCall {
		return d, nil
	}
	var steps []Step
	add := func(name string, s Decision) bool {
		steps = append(steps, Step{Name: name, Verdict: s.Verdict, Rule: s.Rule, Reason: s.Reason})
		return s.Verdict == Allow
	}
	t, floor := FloorURL(r.URL)
	if opened := t.Addr.IsValid() && p.private.open(addrPort(&t)); !add("floor", floor) && !opened && floor.Rule != RuleMixedScript {
		return d, steps
	} else if opened {
		add("exceptions", allow(RuleAllowPrivate, "allow_private opens "+t.HostPort()))
	}
	if r.From != "" && downgrade(r.From, &t) {
		add("redirect", d)
		return d, steps
	}
	if p.floor {
		return d, steps
	}
	if banned := p.denied.find(&t, &r); banned != nil {
		add("bans", *banned)
		return d, steps
	}
	if m := manifest(&r, &t); r.Hosts != nil {
		if m.Reason == "" {
			m.Reason = "the tool's manifest declares this host"
		}
		if !add("manifest", m) {
			return d, steps
		}
	}
	_, lists := p.decideURL(&r, r.Kind)
	add("list", lists)
	if lists.Verdict != Allow || lists.Rule == RulePublic {
		steps[len(steps)-1].Near = p.allowed.near(&t)
	}
	if lists.Verdict != Deny {
		if s, spoke := p.strictest(&r, []Target{t}); spoke {
			wire := p.onWire(&r, &t)
			if wire.Verdict == Allow {
				wire = allow(s.Rule, "matches, and speaks about calls alone")
			}
			add("rules", wire)
		}
	}
	return d, steps
}

// near lists the patterns about a target's host, its parents and its
// subdomains, each with the reason why it doesn't cover the target.
func (l *list) near(t *Target) (out []string) {
	note := func(entries []entry, why string) {
		for i := range entries {
			p := &entries[i].pattern
			if reason := why; len(out) < maxNear {
				if reason == "" {
					reason = p.misses(t)
				}
				if reason != "" {
					out = append(out, fmt.Sprintf("%q %s", p.text, reason))
				}
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
