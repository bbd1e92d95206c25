package browser

import (
	"fmt"
	"net/url"
	"strings"
)

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

// maxText is how many bytes of a text of a page are kept.
const maxText = 2048

// clip shortens text that came from a page, at a character's edge.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// quote is a URL in quotation marks, without credentials.
func quote(rawURL string) string { return fmt.Sprintf("%q", clip(bare(rawURL))) }
