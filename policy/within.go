package policy

import "net/url"

// Within says of a URL whether patterns, as in allowed_domains, name it and the
// floor lets it through. It is nil, which is nowhere, where there is no pattern
// or a bad one. A plugin's secret is held to its hosts by it.
func Within(patterns []string) func(*url.URL) bool {
	p, err := New(Settings{AllowedDomains: patterns})
	if err != nil || len(patterns) == 0 {
		return nil
	}
	return func(u *url.URL) bool {
		return p.Decide(Request{Kind: KindFetch, URL: u.String()}).Verdict == Allow
	}
}
