// Package website compares the sites of web pages, to decide whether they belong to the
// same owner.
package website

import (
	"strconv"
	"strings"

	"errand/policy"
)

// anyScheme is the prefix of a pattern of http and https URLs.
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

// Host returns the host of a site, as [Of] returns it, for people: without "https://",
// but with "http://".
func Host(site string) string {
	return strings.TrimPrefix(strings.TrimPrefix(site, "https://"), anyScheme)
}

// IsSame reports whether a URL is at a site, as [Of] returns it: at a host of the same
// registrable domain (https://publicsuffix.org, both sections) and of the same customer of a
// provider in tenants.txt, and not at http if the site is at https. As for browsers, all ports
// of a domain are one site. For an address and a name without a domain, such as localhost,
// the host and the port must be the same.
func IsSame(site, rawURL string) bool {
	named, here, ok := compareSchemes(site, rawURL)
	if !ok {
		return false
	}
	a, b := ownerDomain(named), ownerDomain(here)
	if a != "" || b != "" {
		return a == b
	}
	return named.Host == here.Host && (named.Port == here.Port || hasDefaultPort(named) && hasDefaultPort(here))
}

// IsSameName reports whether a URL has the name of a site in another country, such as
// https://shop.de or https://shop.co.uk for https://shop.com, or the other way round.
// The owners may differ. com, org and net match only each other's counterparts in
// countries, and countries without such kinds. Other domains, such as app and zip,
// never match.
func IsSameName(site, rawURL string) bool {
	named, here, ok := compareSchemes(site, rawURL)
	if !ok {
		return false
	}
	a, kindA, countryA := registeredName(named)
	b, kindB, countryB := registeredName(here)
	return a != "" && a == b && (countryA || countryB) && (kindA == kindB || kindA == "" || kindB == "")
}

// compareSchemes parses a site and a URL, and reports whether the URL's scheme fits.
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

// defaultPort returns the port of http or https.
func defaultPort(scheme string) uint16 {
	if scheme == "http" {
		return 80
	}
	return 443
}

// parse parses the URL of a page. Policy need not allow it.
func parse(rawURL string) (policy.Target, bool) {
	t, _ := policy.FloorURL(rawURL)
	return t, t.Host != "" && (t.Scheme == "http" || t.Scheme == "https")
}
