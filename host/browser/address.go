package browser

import (
	"net/url"
	"slices"
	"strings"

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

// hostport is the address that the proxy sees for u: the scheme's own port
// where u states none.
func hostport(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" {
		port = "443"
		if u.Scheme == "http" || u.Scheme == "ws" {
			port = "80"
		}
	}
	return host + ":" + port
}

// bare is a URL for people and records: without credentials.
func bare(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw
	}
	u.User = nil
	return u.String()
}

// hostOf names the host of a URL in messages; the URL itself where it has none.
func hostOf(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return u.Host
	}
	return clip(raw)
}

// lastElement is the last element of a URL's path, decoded: the name of a file,
// where it is one.
func lastElement(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Path[strings.LastIndexByte(u.Path, '/')+1:]
}

func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
