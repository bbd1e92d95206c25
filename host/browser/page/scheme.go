package page

import (
	"net/url"

	"errand/policy"
)

// webScheme refuses what is not http or https: file: and chrome: never pass
// through the proxy, and data: and blob: pages are nobody's.
func webScheme(u *url.URL) (policy.Decision, bool) {
	if (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
		return policy.Decision{}, true
	}
	return policy.Decision{
		Rule:   ruleScheme,
		Reason: "only http and https pages are opened, not " + quoteScheme(u.Scheme),
	}, false
}

func quoteScheme(s string) string {
	if s == "" {
		return "a URL without a scheme"
	}
	return s + ":"
}
