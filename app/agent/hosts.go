package agent

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	"errand/app/config"
	"errand/planner/plan"
	"errand/policy"
)

// hostPolicy returns a policy of some hosts alone. It has no rules: only its decisions about URLs count,
// beside those of the user's policy.
func hostPolicy(c *config.Loaded, patterns []string) (*policy.Policy, error) {
	return policy.New(policy.Settings{AllowedDomains: patterns, AllowPrivate: c.Policy.AllowPrivate, Subresources: c.Policy.Subresources})
}

// privateNames returns a policy that denies the private addresses which some patterns name, and allows
// the other ones of allow_private. That setting opens addresses to the user, and so to a task only if the
// task names them.
func privateNames(c *config.Loaded, patterns []string) (*policy.Policy, error) {
	var named []string
	for _, p := range patterns {
		scheme, rest, hasScheme := strings.Cut(p, "://")
		if !hasScheme {
			scheme, rest = "https", p
		}
		host, path, hasPath := strings.Cut(rest, "/")
		name, _, err := net.SplitHostPort(host)
		if err != nil { // a denial without a port is of every port
			name = host
			host += map[string]string{"http": ":80", "ws": ":80", "https": ":443", "wss": ":443"}[scheme]
		}
		if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err != nil {
			continue // a name has no private address
		}
		if hasPath {
			host += "/" + path
		}
		named = append(named, "!"+scheme+"://"+host)
	}
	return policy.New(policy.Settings{AllowedDomains: named, AllowPrivate: c.Policy.AllowPrivate})
}

// allowsHosts reports whether policy.allowed_domains allows everything that a pattern covers.
func allowsHosts(c *config.Loaded, pattern string) bool {
	if _, err := policy.ParsePattern(pattern); err != nil || strings.HasPrefix(pattern, "!") {
		return false
	}
	listed := c.Policy.AllowedDomains
	if slices.Contains(listed, pattern) || slices.Contains(listed, config.KnownSites) && slices.Contains(c.Catalogue.HostPatterns(), pattern) {
		return true
	}
	scheme, host, hasScheme := strings.Cut(pattern, "://")
	if !hasScheme {
		scheme, host = "https", pattern
	}
	host, _, _ = strings.Cut(host, "/")
	if base, isWild := strings.CutPrefix(host, "*."); isWild { // a pattern that covers an unused name covers all
		host = "errand-unused-name." + base
	}
	d := c.Gate.Decide(policy.Request{Kind: policy.KindFetch, Origin: plan.Agent, URL: scheme + "://" + host + "/", Preview: true})
	return d.Verdict == policy.Allow
}
