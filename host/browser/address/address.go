package address

import (
	"net/url"
	"strings"
)

// HostPort is the address that the proxy sees for u: the scheme's own port
// where u states none.
func HostPort(u *url.URL) string {
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

// Origin is the scheme, host and port of a web URL, "" for any other URL. The port is
// written even if it is the scheme's own.
func Origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + HostPort(u)
}

// StripUser is a URL for people and records: without credentials.
func StripUser(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw
	}
	u.User = nil
	return u.String()
}

// Host names the host of a URL in messages; the URL itself where it has none.
func Host(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return u.Host
	}
	return Clip(raw)
}

// Hostname is the host of a URL without its port; the URL itself if it can't be parsed.
func Hostname(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.Hostname()
}

// LastElement is the last element of a URL's path, decoded: the name of a file,
// where it is one.
func LastElement(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Path[strings.LastIndexByte(u.Path, '/')+1:]
}

// MaxText is how many bytes of a text of a page are kept.
const MaxText = 2048

// Clip shortens text that came from a page, at a character's edge.
func Clip(s string) string {
	if len(s) <= MaxText {
		return s
	}
	return strings.ToValidUTF8(s[:MaxText], "") + "…"
}

// Display is a URL for messages: without credentials, and not too long.
func Display(rawURL string) string { return Clip(StripUser(rawURL)) }
