package policy

import (
	"net/url"
	"strings"
)

// MaxRedirects is how many redirects are followed from one URL.
const MaxRedirects = 10

// Redirect resolves the Location of a redirect against the URL that sent it.
// It checks the text of the Location by the floor before it resolves it, because
// resolving may drop what makes it dangerous. The caller decides the result as a
// new fetch whose From is the URL that sent the redirect.
func Redirect(from, location string) (next string, d Decision) {
	if f := checkRaw(location); f.isSet() {
		return "", f.decision()
	}
	refuse := func(reason string) (string, Decision) { return "", deny(RuleRedirect, reason) }
	switch scheme, _, hasColon := strings.Cut(location, ":"); {
	case location == "":
		return refuse("a redirect leads nowhere")
	case strings.HasPrefix(location, "///"):
		return refuse("a redirect to more than two slashes is read differently by different programs")
	case strings.Contains(location, "://") && hasColon && isScheme(scheme):
		return location, allow(RuleFloor, "an absolute redirect")
	case hasColon && isScheme(scheme):
		if defaultPort(toLower(scheme)) == 0 {
			return "", deny(RuleScheme, "a redirect leads out of the web")
		}
		return refuse("there is no :// after the scheme of a redirect")
	}
	base, err := url.Parse(from)
	if err != nil {
		return refuse("the URL that redirects can't be read")
	}
	ref, err := url.Parse(location)
	if err != nil {
		return refuse("a redirect can't be read")
	}
	return base.ResolveReference(ref).String(), allow(RuleFloor, "a relative redirect")
}
