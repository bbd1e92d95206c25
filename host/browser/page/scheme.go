package page

import (
	"net/url"

	"errand/planner/message"
	"errand/policy"
)

// webScheme refuses other schemes than http and https: file: and chrome: bypass the
// proxy, and data: and blob: pages have no host to decide on.
func webScheme(u *url.URL) (policy.Decision, bool) {
	if (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
		return policy.Decision{}, true
	}
	return policy.Decision{
		Rule:   ruleScheme,
		Reason: message.New("browser.only_http_and_https", "scheme", quoteScheme(u.Scheme)),
	}, false
}

func quoteScheme(s string) string {
	if s == "" {
		return "a URL without a scheme"
	}
	return s + ":"
}
