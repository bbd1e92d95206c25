package policy

import (
	"net/netip"
	"strings"

	"errand/planner/message"
)

// Decide implements [Decider]. It uses no DNS: it decides a name by its spelling and
// the lists. [Policy.DecideAddr] decides the addresses once they are known.
//
// Every verdict except [Allow] forbids. [Ask] means that the user can allow it.
func (p *Policy) Decide(r Request) Decision {
	if p == nil || !p.ready {
		return noPolicy
	}
	switch r.Kind {
	case KindCall:
		return p.decideCall(&r)
	case KindNavigate, KindFetch, KindSubresource:
		t, d := p.decideURL(&r, r.Kind)
		d.Hint = r.hint(d)
		if d.Verdict == Deny || p.floor {
			return d
		}
		return d.Stricter(p.decideConnection(&r, &t))
	}
	return deny(RuleBadRequest, message.New("policy.unknown_request_kind"))
}

// decideURL decides one URL by the floor, the exceptions and the lists.
func (p *Policy) decideURL(r *Request, kind Kind) (Target, Decision) {
	t, d := checkSpelling(r.URL)
	t.pathHidden = r.PathHidden
	if t.Addr.IsValid() && !p.private.contains(addrPort(&t)) {
		// A private address is reported before every other problem.
		if addr := FloorAddr(t.Addr); addr.Verdict != Allow {
			addr.Hint = message.New("policy.allow_private_hint", "address", t.HostPort()) // a line of the configuration
			return t, addr
		}
	}
	if d.Verdict != Allow {
		return t, d
	}
	if r.From != "" && isDowngrade(r.From, &t) {
		return t, deny(RuleDowngrade, message.New("policy.downgrade", "origin", t.Origin()))
	}
	if p.floor {
		if t.mixed {
			_, d = FloorURL(r.URL)
		}
		return t, d
	}
	if banned := p.denied.find(&t, r); banned != nil {
		return t, *banned
	}
	if d := checkManifest(r, &t); d.Verdict != Allow {
		return t, d
	}
	if t.Addr.IsValid() && FloorAddr(t.Addr).Verdict != Allow {
		return t, p.decidePrivate(r, &t, kind)
	}
	if listed := p.allowed.find(&t, r); listed != nil {
		return t, *listed
	}
	named := p.listedOnly || t.Addr.IsValid() || t.mixed // whether a page may load only listed hosts
	if kind == KindSubresource && !named && isTLS(t.Scheme) {
		return t, publicLoad
	}
	if granted := p.granted.find(&t, r); granted != nil {
		return t, *granted
	}
	d = askToList(&t)
	if kind == KindSubresource {
		d.Verdict = Deny
		if !named {
			d.Rule, d.Reason = RuleInsecure, message.New("policy.insecure_load")
		}
	}
	return t, d
}

// decidePrivate decides a private address that allow_private permits. The user, tools,
// and pages and redirects of the same origin may use it. Pages and redirects of other
// origins also need an entry of allowed_domains.
func (p *Policy) decidePrivate(r *Request, t *Target, kind Kind) Decision {
	ofPage := kind == KindSubresource || r.Page != ""
	if (!ofPage || t.hasOrigin(r.Page)) && (r.From == "" || t.hasOrigin(r.From)) || p.allowed.find(t, r) != nil {
		return allow(RuleAllowPrivate, message.New("policy.allow_private_opens_address"))
	}
	d := deny(RulePrivateFromPage, message.New("policy.private_from_page", "address", t.HostPort()))
	d.Hint = message.New("policy.list_private_hint", "pattern", t.pattern())
	return d
}

// hasOrigin reports whether a URL has the target's host and port, and uses TLS if the
// target does.
func (t *Target) hasOrigin(rawURL string) bool {
	of, f := parseURL(rawURL)
	return !f.isSet() && of.Host == t.Host && of.Port == t.Port && isTLS(of.Scheme) == isTLS(t.Scheme)
}

var publicLoad = Decision{
	Verdict: Allow, Rule: RulePublic, Flags: publicOnly,
	Reason: message.New("policy.public_load"),
}

// askToList asks about a host that no pattern covers, with a hint how to allow it.
func askToList(t *Target) Decision {
	reason := message.New("policy.not_allowed", "origin", t.Origin())
	if t.mixed {
		reason = message.New("policy.mixed_scripts", "host", t.Host)
	}
	return Decision{
		Verdict: Ask, Rule: RuleUnlisted,
		Reason: reason,
		Hint:   message.New("policy.allow_host_hint", "pattern", t.pattern()), Pattern: t.pattern(),
	}
}

// pattern returns the narrowest pattern that allows the target's origin.
func (t *Target) pattern() string {
	text := t.Host
	if t.Addr.Is6() {
		text = "[" + t.Host + "]"
	}
	if t.Port != defaultPort(t.Scheme) {
		text = t.HostPort()
	}
	if t.Scheme != "https" {
		text = t.Scheme + "://" + text
	}
	return text
}

// matches reports whether the pattern alone covers a target.
func (p *Pattern) matches(t *Target) bool {
	switch p.wild {
	case anyName:
		if !p.deny && (t.Addr.IsValid() || t.mixed) {
			return false
		}
	case subdomains:
		if t.Addr.IsValid() || len(t.Host) <= len(p.base) || !strings.HasSuffix(t.Host, p.base) || t.Host[len(t.Host)-len(p.base)-1] != '.' {
			return false
		}
	default:
		if p.addr.IsValid() != t.Addr.IsValid() || p.addr != t.Addr || !t.Addr.IsValid() && p.base != t.Host || t.Host == "" {
			return false
		}
	}
	return p.covers(t)
}

// isDowngrade reports whether a redirect leads from TLS to clear text. An invalid URL
// counts as TLS.
func isDowngrade(from string, t *Target) bool {
	if isTLS(t.Scheme) {
		return false
	}
	before, f := parseURL(from)
	return f.isSet() || isTLS(before.Scheme)
}

func addrPort(t *Target) netip.AddrPort { return netip.AddrPortFrom(t.Addr, t.Port) }
