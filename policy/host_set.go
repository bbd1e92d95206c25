package policy

import (
	"net/url"

	"errand/planner/message"
)

// HostSet is the parsed list of the hosts that a tool's manifest declares. It is
// immutable. The zero HostSet allows no host.
type HostSet struct {
	allowed, denied list
	invalidPattern  *Decision // the decision if a pattern is invalid; then the set allows no host
}

// ParseHosts reads the patterns of a manifest.
func ParseHosts(patterns []string) *HostSet {
	d := &HostSet{}
	for i, text := range patterns {
		pattern, err := ParsePattern(text)
		switch {
		case err != nil:
			fault := deny(RuleManifest, message.New("policy.bad_manifest_host", "index", i, "pattern", text, "cause", err))
			return &HostSet{invalidPattern: &fault}
		case pattern.deny:
			d.denied.add(pattern, nil, len(patterns))
		default:
			d.allowed.add(pattern, nil, len(patterns))
		}
	}
	return d
}

// secure returns the same target with https.
func (t *Target) secure() *Target {
	s := *t
	if s.Scheme = "https"; s.Port == 80 {
		s.Port = 443
	}
	return &s
}

// checkManifest decides a target by the hosts that the tool's manifest declares.
func checkManifest(r *Request, t *Target) Decision {
	d := r.HostSet
	switch {
	case r.Hosts == nil:
		return allow(RuleFloor, message.Message{})
	case d == nil:
		d = ParseHosts(r.Hosts)
	}
	switch {
	case d.invalidPattern != nil:
		return *d.invalidPattern
	case d.denied.find(t, r) != nil:
		return deny(RuleManifest, message.New("policy.denied_by_manifest", "origin", t.Origin()))
	case d.allowed.find(t, r) == nil && t.Scheme == "http" && d.allowed.find(t.secure(), r) != nil:
		return deny(RuleManifest, message.New("policy.manifest_means_https", "host", t.Host))
	case d.allowed.find(t, r) == nil:
		return deny(RuleManifest, message.New("policy.not_in_manifest", "origin", t.Origin()))
	}
	return allow(RuleManifest, message.Message{})
}

// NewURLFilter returns a function that reports whether patterns, as in allowed_domains,
// cover a URL and the floor allows it. It returns nil if there is no pattern or a bad
// one. It limits the hosts to which a plugin's secret may be sent.
func NewURLFilter(patterns []string) func(*url.URL) bool {
	p, err := New(Settings{AllowedDomains: patterns})
	if err != nil || len(patterns) == 0 {
		return nil
	}
	return func(u *url.URL) bool {
		return p.Decide(Request{Kind: KindFetch, URL: u.String()}).Verdict == Allow
	}
}
