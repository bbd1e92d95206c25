package address

import (
	"net/url"
	"strings"
)

// HostPort returns the address that the proxy sees for u. A URL without a port has the scheme's
// own.
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

// Origin returns the scheme, host and port of a web URL, or "" for any other URL. It always
// includes the port.
func Origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + HostPort(u)
}

// StripUser returns a URL without credentials, for people and records.
func StripUser(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw
	}
	u.User = nil
	return u.String()
}

// Host returns the host of a URL for messages, or the URL itself if it has none.
func Host(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return u.Host
	}
	return Clip(raw)
}

// Hostname returns the host of a URL without its port, or the URL itself if it can't be parsed.
func Hostname(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.Hostname()
}

// LastElement returns the last element of a URL's path, decoded: usually the name of a file.
func LastElement(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Path[strings.LastIndexByte(u.Path, '/')+1:]
}

// MaxText is the maximum length of a stored text of a page, in bytes.
const MaxText = 2048

// Clip shortens a text of a page to [MaxText] bytes, between characters.
func Clip(s string) string {
	if len(s) <= MaxText {
		return s
	}
	return strings.ToValidUTF8(s[:MaxText], "") + "…"
}

// Display returns a URL for messages: without credentials and shortened.
func Display(rawURL string) string { return Clip(StripUser(rawURL)) }
