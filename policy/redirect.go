package policy

import (
	"net/url"
	"strings"

	"errand/planner/message"
	"errand/policy/hostname"
	"errand/policy/urltext"
)

// MaxRedirects is the maximum number of redirects from one URL.
const MaxRedirects = 10

// Redirect resolves the Location of a redirect against the URL that sent it. The floor
// checks the text of the Location first, because resolving may drop what makes it
// dangerous. The caller decides the result as a new fetch with From set to the URL that
// sent the redirect.
func Redirect(from, location string) (next string, d Decision) {
	if f := checkRaw(location); f.isSet() {
		return "", f.decision()
	}
	refuse := func(reason message.Message) (string, Decision) { return "", deny(RuleRedirect, reason) }
	switch scheme, _, hasColon := strings.Cut(location, ":"); {
	case location == "":
		return refuse(message.New("policy.empty_redirect"))
	case strings.HasPrefix(location, "///"):
		return refuse(message.New("policy.redirect_with_many_slashes"))
	case strings.Contains(location, "://") && hasColon && urltext.IsScheme(scheme):
		return location, allow(RuleFloor, message.New("policy.absolute_redirect"))
	case hasColon && urltext.IsScheme(scheme):
		if defaultPort(hostname.Lower(scheme)) == 0 {
			return "", deny(RuleScheme, message.New("policy.redirect_out_of_web"))
		}
		return refuse(message.New("policy.redirect_without_slashes"))
	}
	base, err := url.Parse(from)
	if err != nil {
		return refuse(message.New("policy.unreadable_redirecting_url"))
	}
	ref, err := url.Parse(location)
	if err != nil {
		return refuse(message.New("policy.unreadable_redirect"))
	}
	return base.ResolveReference(ref).String(), allow(RuleFloor, message.New("policy.relative_redirect"))
}
