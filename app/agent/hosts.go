package agent

import (
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
