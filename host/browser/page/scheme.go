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
	reason := message.New("browser.scheme_refused", "scheme", u.Scheme)
	if u.Scheme == "" {
		reason = message.New("browser.no_scheme")
	}
	return policy.Decision{Rule: ruleScheme, Reason: reason}, false
}
