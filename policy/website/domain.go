package website

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"

	"errand/policy"
)

//go:embed tenants.txt
var tenantsText string

// tenants maps the domains of tenants.txt to the provider's own names.
var tenants = sync.OnceValue(func() map[string][]string {
	own := map[string][]string{}
	for line := range strings.Lines(tenantsText) {
		domain, names, ok := strings.Cut(line, ":")
		if ok && !strings.HasPrefix(line, "#") {
			own[domain] = strings.Fields(names)
		}
	}
	return own
})

// ownerDomain returns the domain that the owner of a host registered, or has from a
// provider in tenants.txt. It returns "" for an address and for a name that is not
// below a registry.
func ownerDomain(t policy.Target) string {
	if t.Addr.IsValid() {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(t.Host)
	if err != nil {
		return ""
	}
	return tenantDomain(t.Host, domain)
}

// tenantDomain returns the domain of the provider's customer to which a host belongs,
// such as "a.slack.com" for "x.a.slack.com" of "slack.com". It returns the registrable
// domain if there is none.
func tenantDomain(host, domain string) string {
	for host != domain {
		label, parent, _ := strings.Cut(host, ".")
		_, above, _ := strings.Cut(parent, ".")
		own, isShared := tenants()[parent]
		if !isShared {
			own, isShared = tenants()["*."+above]
		}
		switch {
		case isShared && slices.Contains(own, label):
			return parent
		case isShared:
			return host
		}
		host = parent
	}
	return domain
}

// generics are the generic domains, and their counterparts below country domains.
var generics = map[string]string{"com": "com", "co": "com", "org": "org", "or": "org", "net": "net", "ne": "net"}

// registeredName returns the first label of a host's registrable domain, and the kind
// of its registry: "com", "org" or "net", or "" if the country has no kinds. isCountry
// reports whether the registry is one of a country. The name is "" for other
// registries.
func registeredName(t policy.Target) (name, kind string, isCountry bool) {
	domain := ownerDomain(t)
	suffix, isICANN := publicsuffix.PublicSuffix(domain)
	if domain == "" || !isICANN {
		return "", "", false
	}
	name = strings.TrimSuffix(domain, "."+suffix)
	if strings.Contains(name, ".") { // a customer of a provider
		return "", "", false
	}
	general, country, hasKind := strings.Cut(suffix, ".")
	if !hasKind && len(suffix) == 2 {
		return name, "", true
	}
	kind, isGeneric := generics[general]
	if !isGeneric || hasKind && len(country) != 2 || !hasKind && kind != general {
		return "", "", false
	}
	return name, kind, hasKind
}
