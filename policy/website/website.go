// Package website compares the sites of web pages: whether the same owner gets what a page is
// given.
package website

import (
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"errand/policy"
)

// anyScheme begins the pattern of a URL of http or https.
const anyScheme = "*://"

// Of returns the scheme and host of a web URL, such as "https://shop.example", in
// canonical spelling and without the scheme's own port. The URL may be a pattern: its scheme
// may be "*", and its path may contain "*". Of returns "" if the URL names no host, or
// one with "*".
func Of(rawURL string) string {
	rest, isAny := strings.CutPrefix(rawURL, anyScheme)
	if isAny {
		rawURL = "https://" + rest
	}
	t, ok := parse(rawURL)
	if !ok {
		return ""
	}
	site := t.Scheme + "://" + strings.TrimSuffix(t.HostPort(), ":"+strconv.Itoa(int(defaultPort(t.Scheme))))
	if isAny {
		return anyScheme + strings.TrimPrefix(site, "https://")
	}
	return site
}

// IsSame reports whether a URL is at a site, as [Of] returns it: at a host of the same
// registrable domain (https://publicsuffix.org, both sections), and not at http if the
// site is at https. For an address and a name without a domain, such as localhost, the
// host and the port must be the same.
func IsSame(site, rawURL string) bool {
	named, here, ok := compareSchemes(site, rawURL)
	if !ok {
		return false
	}
	a, b := registrableDomain(named), registrableDomain(here)
	if a != "" || b != "" {
		return a == b
	}
	return named.Host == here.Host && (named.Port == here.Port || hasDefaultPort(named) && hasDefaultPort(here))
}

// IsSameName reports whether a URL is at the name of a site in another registry, such as
// https://shop.de for https://shop.com. Both may belong to different owners.
func IsSameName(site, rawURL string) bool {
	named, here, ok := compareSchemes(site, rawURL)
	if !ok {
		return false
	}
	a, b := registeredName(named), registeredName(here)
	return a != "" && a == b
}

// compareSchemes reads a site and a URL, and reports whether the URL's scheme fits.
func compareSchemes(site, rawURL string) (named, here policy.Target, ok bool) {
	rest, isAny := strings.CutPrefix(site, anyScheme)
	if isAny {
		site = "https://" + rest
	}
	named, okSite := parse(site)
	here, okURL := parse(rawURL)
	if !okSite || !okURL {
		return named, here, false
	}
	if isAny && named.Port == 443 {
		named.Scheme, named.Port = here.Scheme, defaultPort(here.Scheme)
	}
	return named, here, isAny || named.Scheme == here.Scheme || here.Scheme == "https"
}

func hasDefaultPort(t policy.Target) bool { return t.Port == defaultPort(t.Scheme) }

// defaultPort is the port of http or https.
func defaultPort(scheme string) uint16 {
	if scheme == "http" {
		return 80
	}
	return 443
}

// parse reads the URL of a page. It doesn't matter whether policy permits the URL.
func parse(rawURL string) (policy.Target, bool) {
	t, _ := policy.FloorURL(rawURL)
	return t, t.Host != "" && (t.Scheme == "http" || t.Scheme == "https")
}

// registrableDomain is the domain that the owner of a host registered; "" for an address and
// for a name that is not below a registry.
func registrableDomain(t policy.Target) string {
	if t.Addr.IsValid() {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(t.Host)
	if err != nil {
		return ""
	}
	return domain
}

// registeredName is the first label of a host's registrable domain; "" if its registry is not
// one of a country or of a general domain.
func registeredName(t policy.Target) string {
	domain := registrableDomain(t)
	suffix, isICANN := publicsuffix.PublicSuffix(domain)
	if !isICANN || domain == "" {
		return ""
	}
	return strings.TrimSuffix(domain, "."+suffix)
}
